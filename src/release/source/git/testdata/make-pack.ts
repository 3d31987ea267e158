import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { type GitObject, objectId } from '../git-object.ts'

/** An entry of a pack: an object, or a delta on an entry before it (by its index) or on an object (by its id). */
export type PackInput = GitObject | { readonly base: number | string; readonly delta: Uint8Array }

const types = { commit: 1, tree: 2, blob: 3, tag: 4 } as const

/** Writes a pack of version 2. */
export function makePack(entries: readonly PackInput[], count = entries.length): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  header.writeUInt32BE(count, 8)
  const parts: Buffer[] = [header]
  const offsets: number[] = []
  let at = 12
  for (const entry of entries) {
    offsets.push(at)
    const data = 'type' in entry ? entry.data : entry.delta
    const base = 'type' in entry ? Buffer.alloc(0) : baseOf(entry.base, at, offsets)
    const type = 'type' in entry ? types[entry.type] : typeof entry.base === 'number' ? 6 : 7
    const part = Buffer.concat([head(type, data.length), base, deflateSync(data)])
    parts.push(part)
    at += part.length
  }
  return signed(Buffer.concat(parts))
}

/** A pack's bytes with the checksum behind them. */
export function signed(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, createHash('sha1').update(bytes).digest()])
}

/** The head of an entry: its type, and the size that it claims. */
export function head(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80
    bytes.push(rest % 128)
  }
  return Buffer.from(bytes)
}

/** A delta: sizes, then instructions; a number pair copies from the base, a text is inserted. */
export function makeDelta(baseSize: number, size: number, parts: readonly (string | readonly [number, number])[]): Buffer {
  const bytes = [...varint(baseSize), ...varint(size)]
  for (const part of parts) {
    if (typeof part === 'string') bytes.push(part.length, ...Buffer.from(part))
    else bytes.push(0x80 | 0x0f | 0x70, ...le(part[0], 4), ...le(part[1], 3))
  }
  return Buffer.from(bytes)
}

/** A repository in memory, made of texts; a text of `-> PATH` is a link, one of `@ COMMIT` a submodule. */
export function makeRepository(files: Readonly<Record<string, string>>): { objects: GitObject[]; commit: string } {
  const objects: GitObject[] = []
  const add = (object: GitObject): string => (objects.push(object), objectId(object))
  const tree = (prefix: string): string => {
    const names = new Set(
      Object.keys(files)
        .filter((path) => path.startsWith(prefix))
        .map((path) => path.slice(prefix.length).split('/')[0]!),
    )
    const entries = [...names].sort().map((name) => {
      const text = files[prefix + name]
      if (text === undefined) return treeEntry('40000', name, tree(`${prefix}${name}/`))
      if (text.startsWith('@ ')) return treeEntry('160000', name, text.slice(2))
      const link = text.startsWith('-> ')
      const id = add({ type: 'blob', data: Buffer.from(link ? text.slice(3) : text) })
      return treeEntry(link ? '120000' : '100644', name, id)
    })
    return add({ type: 'tree', data: Buffer.concat(entries) })
  }
  const text = `tree ${tree('')}\nauthor a <a@b> 0 +0000\ncommitter a <a@b> 0 +0000\n\nx\n`
  return { objects, commit: add({ type: 'commit', data: Buffer.from(text) }) }
}

/** One entry of a tree. */
export function treeEntry(mode: string, name: string, id: string): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')])
}

function baseOf(base: number | string, at: number, offsets: readonly number[]): Buffer {
  if (typeof base === 'string') return Buffer.from(base, 'hex')
  let back = at - offsets[base]!
  const bytes = [back & 0x7f]
  while ((back = Math.floor(back / 128)) > 0) bytes.unshift(0x80 | (--back & 0x7f))
  return Buffer.from(bytes)
}

function varint(value: number): number[] {
  const bytes = [value % 128]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80
    bytes.push(rest % 128)
  }
  return bytes
}

function le(value: number, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** index) % 256)
}
