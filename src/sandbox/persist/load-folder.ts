import { mkdirSync, readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord, type KubeObject, LadingError } from '../../core/index.ts'
import { readCheckedLines } from './checked-line.ts'

/** What a folder held. */
export interface Kept {
  /** 0 when the folder was empty. */
  readonly version: number
  readonly objects: (readonly [collection: string, object: KubeObject])[]
}

/** The file with the objects of one moment. */
export const snapshotName = 'snapshot.jsonl'

/** The file with the changes after a version; names sort by version. */
export function journalName(version: number): string {
  return `journal-${String(version).padStart(15, '0')}.jsonl`
}

/** The journals of a folder, oldest first. */
export function journalsOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /^journal-\d+\.jsonl$/.test(name))
    .sort()
}

/** Reads the snapshot and the journals after it; what was cut off while it was written is left out. */
export function loadFolder(folder: string): Kept {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const objects = new Map<string, readonly [string, KubeObject]>()
  let version = 0
  for (const value of readFile(folder, snapshotName)) {
    const entry = entryOf(value, snapshotName)
    version = Math.max(version, entry.version)
    if (entry.object !== undefined)
      objects.set(keyOf(entry.collection, entry.object.metadata), [entry.collection, entry.object])
  }
  const since = version
  for (const name of journalsOf(folder)) {
    for (const value of readFile(folder, name)) {
      const entry = entryOf(value, name)
      if (entry.version <= since) continue
      version = Math.max(version, entry.version)
      if (entry.object !== undefined)
        objects.set(keyOf(entry.collection, entry.object.metadata), [entry.collection, entry.object])
      else if (entry.deleted !== undefined) objects.delete(keyOf(entry.collection, entry.deleted))
    }
  }
  return { version, objects: [...objects.values()] }
}

interface Entry {
  readonly version: number
  readonly collection: string
  readonly object?: KubeObject
  readonly deleted?: { readonly namespace: string; readonly name: string }
}

function readFile(folder: string, name: string): unknown[] {
  const path = join(folder, name)
  const text = readIfThere(path)
  if (text === undefined) return []
  const { values, badAt, goodAfterBad } = readCheckedLines(text)
  // A crash cuts off the end; damage anywhere else means that something acknowledged is lost.
  if (goodAfterBad || (badAt >= 0 && name === snapshotName)) throw damaged(name, 'a line does not match its checksum')
  if (badAt >= 0) truncateSync(path, Buffer.byteLength(text.slice(0, badAt)))
  return values
}

function entryOf(value: unknown, name: string): Entry {
  if (!isRecord(value) || typeof value['version'] !== 'number') throw damaged(name, 'a line is not an entry')
  return value as unknown as Entry
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function damaged(name: string, why: string): LadingError {
  return new LadingError('sandbox.data-damaged', `${name} is damaged: ${why}`, { file: name })
}

function keyOf(collection: string, { namespace = '', name }: { namespace?: string; name: string }): string {
  return `${collection}|${namespace}/${name}`
}
