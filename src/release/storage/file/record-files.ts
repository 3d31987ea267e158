import { createHash, randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import * as disk from 'node:fs/promises'
import { join } from 'node:path'
import { LadingError } from '../../../core/index.ts'

/** The writes that a file store makes; handed in so that a test can end the process between any two of them. */
export type FileWrites = Pick<typeof disk, 'mkdir' | 'link' | 'rename' | 'unlink'> & {
  /** Writes a new file and brings it to the disk. */
  writeNew(path: string, bytes: Uint8Array): Promise<void>
}

/** The writes of the machine's own file system. */
export const diskWrites: FileWrites = {
  mkdir: disk.mkdir,
  link: disk.link,
  rename: disk.rename,
  unlink: disk.unlink,
  async writeNew(path, bytes) {
    const file = await disk.open(path, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
  },
}

/** A write of an hour ago is nobody's any more. */
const abandonedMs = 60 * 60_000

/** The newest file of a revision. */
export interface Head {
  readonly path: string
  /** Counts the writes of the revision; 0 is a bare name, of Sherpack or of a file that was put there by hand. */
  readonly sequence: number
}

/** What a head holds, with the token that names it. */
export interface Content {
  readonly bytes: Buffer
  readonly token: string
}

/**
 * Files that are replaced whole, without locks: each write of a revision is a new hidden file, `.v{revision}.{sequence}.yaml`,
 * and the highest sequence counts. A writer takes the next one by a hard link, which only one can make. An empty file says
 * that the revision was deleted; it stays for a while, so that a slow writer cannot take a sequence again. People, backups
 * and other programs find the newest file under `v{revision}.yaml`, which is a second link to it.
 */
export class RecordFiles {
  readonly #writes: FileWrites

  constructor(writes: FileWrites) {
    this.#writes = writes
  }

  /** What a revision holds; undefined if it does not exist. */
  async read(folder: string, version: number): Promise<Content | undefined> {
    for (;;) {
      const head = (await headsIn(folder)).get(version)
      if (head === undefined) return undefined
      const bytes = await readWhole(head.path)
      // It may just have been replaced.
      if (bytes !== undefined) return bytes.length === 0 ? undefined : { bytes, token: tokenOf(head, bytes) }
    }
  }

  /** Creates a revision and gives its token; undefined when there is one. */
  async create(folder: string, version: number, bytes: Buffer, now: number): Promise<string | undefined> {
    await this.#writes.mkdir(folder, { recursive: true, mode: 0o700 })
    const head = (await headsIn(folder)).get(version)
    if (head !== undefined && (await readWhole(head.path))?.length !== 0) return undefined
    return this.#append(folder, version, head?.sequence ?? 0, bytes, now)
  }

  /** Replaces what the token names, and gives the new token; undefined when it was replaced already. */
  async replace(
    folder: string,
    version: number,
    token: string,
    bytes: Buffer,
    now: number,
  ): Promise<string | undefined> {
    if ((await this.read(folder, version))?.token !== token) return undefined
    return this.#append(folder, version, Number.parseInt(token, 10), bytes, now)
  }

  /** Deletes what the token names; false when it was replaced. What is gone counts as deleted. */
  async remove(folder: string, version: number, token: string, now: number): Promise<boolean> {
    if ((await this.read(folder, version)) === undefined) return true
    return (await this.replace(folder, version, token, Buffer.alloc(0), now)) !== undefined
  }

  async #append(
    folder: string,
    version: number,
    after: number,
    bytes: Buffer,
    now: number,
  ): Promise<string | undefined> {
    const head = { path: join(folder, `.v${version}.${after + 1}.yaml`), sequence: after + 1 }
    const draft = draftName(folder, version)
    try {
      await this.#writes.writeNew(draft, bytes)
      if (!(await linked(this.#writes.link(draft, head.path)))) return undefined
    } finally {
      await ignoreMissing(this.#writes.unlink(draft))
    }
    // Whoever was overtaken twice finds the name free again, but never as the newest one.
    const newest = (await headsIn(folder)).get(version)
    if (newest?.sequence !== head.sequence) {
      await ignoreMissing(this.#writes.unlink(head.path))
      return undefined
    }
    await this.#publish(folder, version, head).catch(async (error: unknown) => {
      // A write that failed, as on a full disk, must not count: what it replaces is still there.
      await this.#writes.unlink(head.path).catch(() => undefined)
      throw error
    })
    await syncFolder(folder)
    // The record is on the disk, whatever becomes of what it replaces; the next write tries again.
    await this.#tidy(folder, version, head.sequence, now).catch(() => undefined)
    return tokenOf(head, bytes)
  }

  /** Gives the newest file of a revision its public name, or takes that away when the revision was deleted. */
  async #publish(folder: string, version: number, head: Head): Promise<void> {
    const name = publicName(folder, version)
    for (let shown: Head | undefined = head; shown !== undefined;) {
      const { sequence, path }: Head = shown
      if ((await statOf(path))?.size === 0) {
        await ignoreMissing(this.#writes.unlink(name))
      } else {
        const draft = draftName(folder, version)
        try {
          // Whoever has replaced it since publishes what counts then.
          await ignoreMissing(this.#writes.link(path, draft))
          await ignoreMissing(this.#writes.rename(draft, name))
        } finally {
          // Renaming one link of a file to another of the same file leaves both.
          await ignoreMissing(this.#writes.unlink(draft))
        }
      }
      // A slow writer must not leave an older file under the public name.
      const newest = (await headsIn(folder)).get(version)
      shown = newest !== undefined && newest.sequence > sequence ? newest : undefined
    }
  }

  /** Removes what the new head replaced, and what crashed writes and deletions left long ago. */
  async #tidy(folder: string, version: number, sequence: number, now: number): Promise<void> {
    for (const name of await disk.readdir(folder)) {
      const path = join(folder, name)
      const file = parseName(name)
      const isPublic = name === `v${file?.version}.yaml`
      const replaced = file !== undefined && !isPublic && file.version === version && file.sequence < sequence
      if (!replaced && !(await isAbandoned(path, name, now))) continue
      // Without the file that says that the revision was deleted, a public name that a crash left would bring it back.
      if (!replaced && file !== undefined && !isPublic)
        await ignoreMissing(this.#writes.unlink(publicName(folder, file.version)))
      await ignoreMissing(this.#writes.unlink(path))
    }
  }
}

/** The newest file of each revision in a folder. */
export async function headsIn(folder: string): Promise<Map<number, Head>> {
  const heads = new Map<number, Head>()
  for (const name of await namesIn(folder)) {
    const file = parseName(name)
    if (file === undefined || (heads.get(file.version)?.sequence ?? -1) > file.sequence) continue
    heads.set(file.version, { path: join(folder, name), sequence: file.sequence })
  }
  return heads
}

function publicName(folder: string, version: number): string {
  return join(folder, `v${version}.yaml`)
}

function draftName(folder: string, version: number): string {
  return join(folder, `.v${version}.${randomBytes(6).toString('hex')}.draft`)
}

// Lading 0.1 wrote v1.2.json, Sherpack v1.json.
function parseName(name: string): { version: number; sequence: number } | undefined {
  const [, version, sequence] = /^\.?v([1-9]\d{0,14})(?:\.([1-9]\d{0,14}))?\.(?:json|yaml)$/.exec(name) ?? []
  return version === undefined ? undefined : { version: Number(version), sequence: Number(sequence ?? 0) }
}

async function isAbandoned(path: string, name: string, now: number): Promise<boolean> {
  const stats = await statOf(path)
  if (stats === undefined || now - stats.mtimeMs < abandonedMs) return false
  return name.endsWith('.draft') || (stats.size === 0 && parseName(name) !== undefined)
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await disk.readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** The first bytes of a file; undefined if it is not a regular file. */
export async function readStart(path: string, length: number): Promise<Buffer | undefined> {
  const file = await openPlain(path)
  if (file === undefined) return undefined
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Refuses a folder that is a link: whoever can place one must not choose where records go. */
export async function checkFolder(path: string): Promise<boolean> {
  const stats = await statOf(path)
  if (stats === undefined) return false
  if (stats.isDirectory()) return true
  throw new LadingError('file.unreadable', `${path} is no folder of records; links are not followed`, { path })
}

async function readWhole(path: string): Promise<Buffer | undefined> {
  const file = await openPlain(path)
  if (file === undefined) return undefined
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}

async function openPlain(path: string): Promise<disk.FileHandle | undefined> {
  try {
    return await disk.open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new LadingError('file.unreadable', `${path} cannot be read (${code})`, { path, code }, { cause: error })
  }
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await disk.lstat(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new LadingError('file.unreadable', `${path} cannot be read (${code})`, { path, code }, { cause: error })
  }
}

async function linked(link: Promise<void>): Promise<boolean> {
  try {
    await link
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function ignoreMissing(change: Promise<void>): Promise<void> {
  try {
    await change
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await disk.open(path, constants.O_RDONLY)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function tokenOf(head: Head, bytes: Uint8Array): string {
  return `${head.sequence}:${createHash('sha256').update(bytes).digest('hex')}`
}
