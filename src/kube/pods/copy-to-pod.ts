import { lstat, readdir, readFile } from 'node:fs/promises'
import { basename, join, posix } from 'node:path'
import { type Context, LadingError, type ObjectRef } from '../../core/index.ts'
import { writeTar } from '../../core/tar/index.ts'
import type { Cluster } from '../cluster.ts'
import { runTar, splitPodPath } from './run-tar.ts'

/** How files are copied. */
export interface CopyOptions {
  /** Needed when the pod has more than one. */
  readonly container?: string
  /** Most bytes that are copied; 256 MiB by default. */
  readonly maxBytes?: number
}

/** What was copied to a pod. */
export interface CopyToResult {
  /** Paths in the container. */
  readonly files: readonly string[]
  /** Local paths of symlinks and special files, which are not copied. */
  readonly skipped: readonly string[]
}

/** The end of an archive, which `writeTar` writes each time. */
const trailerBytes = 1024

/**
 * Copies a local file or folder, with its modes, to a path in a container, which is its full name there. Its parent folder has to exist,
 * and the container needs a `tar` program.
 */
export async function copyToPod(
  cluster: Cluster,
  pod: Pick<ObjectRef, 'namespace' | 'name'>,
  source: string,
  destination: string,
  options: CopyOptions,
  ctx: Context,
): Promise<CopyToResult> {
  const { folder, name } = splitPodPath(destination)
  const files: string[] = []
  const skipped: string[] = []
  const limit = { left: options.maxBytes ?? 256 * 1024 * 1024 }
  const archive = async function* (): AsyncGenerator<Uint8Array> {
    for await (const entry of walk(source, name, limit)) {
      if (entry.content === undefined) skipped.push(entry.path)
      else {
        const { content, mode } = entry
        if (!entry.name.endsWith('/')) files.push(posix.join(folder, entry.name))
        yield writeTar([[entry.name, { content, mode }]]).subarray(0, -trailerBytes)
      }
    }
    yield new Uint8Array(trailerBytes)
  }
  await checkSource(source)
  // -m: now is the time of the files; -o: they belong to who runs tar; -p: they have exactly their modes.
  const command = ['tar', '-x', '-m', '-o', '-p', '-f', '-', '-C', folder]
  await runTar(cluster, pod, { ...options, command, stdin: archive() }, ctx)
  return { files, skipped }
}

interface LocalEntry {
  readonly path: string
  /** The name in the archive; that of a folder ends in a slash. */
  readonly name: string
  readonly mode: number
  /** Absent for what is not copied. */
  readonly content?: Uint8Array
}

async function* walk(path: string, name: string, limit: { left: number }): AsyncGenerator<LocalEntry> {
  const found = await lstat(path)
  const mode = found.mode & 0o777
  if (found.isDirectory()) {
    yield { path, name: `${name}/`, mode, content: new Uint8Array() }
    for (const child of (await readdir(path)).sort()) yield* walk(join(path, child), `${name}/${child}`, limit)
  } else if (found.isFile()) {
    if (found.size > limit.left) throw tooLarge(path)
    const content = await readFile(path)
    limit.left -= content.length
    if (limit.left < 0) throw tooLarge(path)
    yield { path, name, mode, content }
  } else yield { path, name, mode }
}

async function checkSource(path: string): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    throw new LadingError('file.not-found', `${path} cannot be read`, { path }, { cause: error })
  })
  if (!found.isFile() && !found.isDirectory()) {
    throw new LadingError('file.unreadable', `${basename(path)} is neither a file nor a folder`, { path })
  }
}

function tooLarge(path: string): LadingError {
  return new LadingError('input.too-large', `copying ${path} exceeds the limit of maxBytes`, { path })
}
