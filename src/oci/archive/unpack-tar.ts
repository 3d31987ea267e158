import { LadingError } from '../../core/index.ts'
import { type ArchiveFile, readTar, type TarEntry } from '../../core/tar/index.ts'
import { decompress } from './decompress.ts'
import { entryName } from './entry-name.ts'
import { type ArchiveLimits, defaultArchiveLimits } from './limits.ts'

/** How an archive is unpacked. */
export interface UnpackOptions {
  readonly limits?: Partial<ArchiveLimits>
  /** Symbolic links are refused, or passed over as Flux does; they are never followed. */
  readonly symlinks?: 'refuse' | 'skip'
}

/**
 * Unpacks a tar, plain or compressed by gzip or Zstandard, into memory: files by their path. Links, devices, paths that lead
 * out, names that occur twice, and whatever is damaged, cut short or larger than allowed are errors.
 */
export async function unpackTar(
  source: Uint8Array | AsyncIterable<Uint8Array>,
  options: UnpackOptions = {},
): Promise<Map<string, ArchiveFile>> {
  const limits = { ...defaultArchiveLimits, ...options.limits }
  const packed = source instanceof Uint8Array ? source : await collect(source, limits.packedBytes)
  const archive = await decompress(packed, limits)
  const files = new Map<string, ArchiveFile>()
  const folders = new Set<string>()
  const reading = { strict: true, maxEntries: limits.entries, maxEntryBytes: limits.entryBytes }
  for (const entry of readTar(archive, reading)) {
    if (isSkipped(entry, options.symlinks ?? 'refuse')) continue
    const name = entryName(entry.name, limits.nameBytes)
    if (entry.type === 'folder') {
      if (name !== undefined) addFolder(name, files, folders)
      continue
    }
    if (name === undefined) throw refused(entry.name, 'it is no name for a file')
    if (files.has(name) || folders.has(name)) throw refused(name, 'the name occurs twice')
    const slash = name.lastIndexOf('/')
    if (slash > 0) addFolder(name.slice(0, slash), files, folders)
    files.set(name, { content: entry.content, mode: entry.mode })
  }
  return files
}

function isSkipped(entry: TarEntry, symlinks: 'refuse' | 'skip'): boolean {
  if (entry.type === 'file' || entry.type === 'folder') {
    if (entry.type === 'folder' && entry.content.byteLength > 0) throw refused(entry.name, 'a folder has no content')
    return false
  }
  if (entry.type === 'symlink' && symlinks === 'skip') return true
  const what = entry.type === 'unknown' ? 'of an unknown type' : `a ${entry.type}`
  throw refused(entry.name, `it is ${what}; only files and folders are unpacked`)
}

// A name that is a file at one place and a folder at another would be overwritten by whoever unpacks to a disk.
function addFolder(name: string, files: ReadonlyMap<string, ArchiveFile>, folders: Set<string>): void {
  for (let path = name; !folders.has(path); path = path.slice(0, path.lastIndexOf('/'))) {
    if (files.has(path)) throw refused(path, 'it is a file and a folder')
    folders.add(path)
    if (!path.includes('/')) return
  }
}

async function collect(source: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    length += chunk.byteLength
    if (length > limit) {
      throw new LadingError('input.too-large', `the archive has more than the ${limit} bytes that are allowed`, {
        limit,
      })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function refused(name: string, why: string): LadingError {
  return new LadingError('archive.refused', `the archive has an entry ${JSON.stringify(name.slice(0, 200))}: ${why}`)
}
