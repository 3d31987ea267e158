import { constants } from 'node:fs'
import { chmod, lstat, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Context, LadingError, type ObjectRef, stringifyJson } from '../../core/index.ts'
import { readTar, type TarEntry } from '../../core/tar/index.ts'
import type { Cluster } from '../cluster.ts'
import type { CopyOptions } from './copy-to-pod.ts'
import { runTar, splitPodPath } from './run-tar.ts'

/** What was copied from a pod. */
export interface CopyFromResult {
  /** Local paths. */
  readonly files: readonly string[]
  /** Names of links and devices in the pod, which are not copied. */
  readonly skipped: readonly string[]
}

const maxEntries = 100_000

/**
 * Copies a file or folder of a container to a local path, which is its full name. The pod is not trusted: names that lead elsewhere are
 * refused before anything is written, links are skipped, and nothing is written through a local symlink.
 */
export async function copyFromPod(
  cluster: Cluster,
  pod: Pick<ObjectRef, 'namespace' | 'name'>,
  source: string,
  destination: string,
  options: CopyOptions,
  ctx: Context,
): Promise<CopyFromResult> {
  const { folder, name } = splitPodPath(source)
  const { maxBytes = 256 * 1024 * 1024, ...rest } = options
  const chunks: Uint8Array[] = []
  let received = 0
  const stdout = (chunk: Uint8Array): void => {
    received += chunk.length
    if (received > maxBytes) {
      const message = `${source} in pod ${pod.namespace}/${pod.name} is larger than maxBytes, ${maxBytes} bytes`
      throw new LadingError('input.too-large', message, { maxBytes })
    }
    chunks.push(chunk)
  }
  const command = ['tar', '-c', '-f', '-', '-C', folder, `./${name}`]
  await runTar(cluster, pod, { ...rest, command, stdout }, ctx)
  const { entries, skipped } = placed(Buffer.concat(chunks), name)
  const files: string[] = []
  for (const { below, entry } of entries) {
    const path = join(destination, ...below)
    await refuseLinks(destination, below)
    if (entry.type === 'folder') await makeFolder(path)
    else {
      await writeFileAt(path, entry)
      files.push(path)
    }
  }
  // Last, so that a folder that nobody may write to can be filled.
  for (const { below, entry } of entries.toReversed()) {
    if (entry.type === 'folder') await chmod(join(destination, ...below), entry.mode)
  }
  return { files, skipped }
}

interface PlacedEntry {
  /** The parts of the name below what was asked for. */
  readonly below: readonly string[]
  readonly entry: TarEntry
}

/** Checks every name of the archive before anything is written. */
function placed(archive: Uint8Array, name: string): { entries: PlacedEntry[]; skipped: string[] } {
  const entries: PlacedEntry[] = []
  const skipped: string[] = []
  for (const entry of readTar(archive, { strict: false, maxEntries })) {
    const [first, ...below] = partsOf(entry.name)
    if (first !== name) throw refused(entry.name)
    if (entry.type === 'file' || entry.type === 'folder') entries.push({ below, entry })
    else skipped.push(entry.name)
  }
  return { entries, skipped }
}

function partsOf(name: string): string[] {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  // A backslash separates names on Windows, and a colon begins a drive or a stream there.
  const escapes = process.platform === 'win32' ? /[\\:\0]/ : /\0/
  if (name.startsWith('/') || parts.includes('..') || parts.some((part) => escapes.test(part))) throw refused(name)
  return parts
}

function refused(name: string): LadingError {
  const message = `the pod sent an entry outside of what was asked for: ${stringifyJson(name)}`
  return new LadingError('archive.refused', message, { name })
}

/** A symlink below the destination would lead elsewhere; the destination itself is the caller's own. */
async function refuseLinks(destination: string, below: readonly string[]): Promise<void> {
  for (let depth = 1; depth <= below.length; depth++) {
    const path = join(destination, ...below.slice(0, depth))
    const found = await lstat(path).catch(() => undefined)
    if (found?.isSymbolicLink() === true) {
      throw new LadingError('archive.refused', `${path} is a symlink, and nothing is written through it`, { path })
    }
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true })
  await chmod(path, 0o700)
}

async function writeFileAt(path: string, { content, mode }: TarEntry): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  // Undefined, and so without effect, where the system has none of it.
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
  const file = await open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
  try {
    await file.writeFile(content)
    await file.chmod(mode)
  } finally {
    await file.close()
  }
}
