import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import { LadingError } from '../src/core/index.ts'

const inflate = promisify(inflateRaw)

/** Reads the named files out of a plain zip: stored or deflated, no encryption, no zip64 (PKWARE APPNOTE 4.3). */
export async function readZip(path: string, names: readonly string[]): Promise<Map<string, Buffer>> {
  const zip = await readFile(path)
  const entries = directoryOf(zip, path)
  const files = new Map<string, Buffer>()
  for (const name of names) {
    const entry = entries.get(name)
    if (entry === undefined) throw new LadingError('file.not-found', `${path} holds no ${name}`, { file: path, name })
    files.set(name, await contentOf(zip, entry, path))
  }
  return files
}

interface Entry {
  readonly name: string
  readonly method: number
  readonly crc: number
  readonly compressed: number
  readonly headerAt: number
}

function directoryOf(zip: Buffer, path: string): Map<string, Entry> {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0) throw new LadingError('file.unreadable', `${path} is no zip file`, { file: path })
  const entries = new Map<string, Entry>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    entries.set(name, {
      name,
      method: zip.readUInt16LE(at + 10),
      crc: zip.readUInt32LE(at + 16),
      compressed: zip.readUInt32LE(at + 20),
      headerAt: zip.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}

async function contentOf(zip: Buffer, entry: Entry, path: string): Promise<Buffer> {
  // The local header repeats the name, but its extra field may differ in length from the directory's.
  const start = entry.headerAt + 30 + zip.readUInt16LE(entry.headerAt + 26) + zip.readUInt16LE(entry.headerAt + 28)
  const raw = zip.subarray(start, start + entry.compressed)
  const content = entry.method === 0 ? raw : await inflate(raw)
  if (crc32(content) !== entry.crc) {
    throw new LadingError('file.unreadable', `${entry.name} in ${path} is damaged`, { file: path, name: entry.name })
  }
  return content
}
