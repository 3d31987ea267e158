import type { ArchiveFile } from '../../../core/tar/index.ts'
import { packTar } from '../pack-tar.ts'

/** A file to pack. */
export function file(text: string, mode?: number): ArchiveFile {
  return { content: Buffer.from(text), ...(mode === undefined ? {} : { mode }) }
}

/** What unpacked files hold, byte by byte. */
export function texts(files: ReadonlyMap<string, ArchiveFile>): Record<string, string> {
  return Object.fromEntries([...files].map(([name, { content }]) => [name, Buffer.from(content).toString('latin1')]))
}

/** Entries as no well-behaved packer writes them. */
export function tarOf(...entries: readonly { name: string; type?: string; linkname?: string }[]): Uint8Array {
  const plain = packTar(new Map([['all.yaml', file('a: 1\n')]]))
  const blocks = entries.map(({ name, type = '0', linkname = '' }) => {
    const entry = Buffer.from(plain.subarray(0, type === '0' ? 1024 : 512))
    entry.fill(0, 0, 100).write(name, 0)
    entry.write(type, 156)
    entry.write(linkname, 157)
    if (type !== '0') entry.write('00000000000', 124)
    fixChecksum(entry)
    return entry
  })
  return Buffer.concat([...blocks, new Uint8Array(1024)])
}

/** Makes the checksum of the first header right again. */
export function fixChecksum(tar: Uint8Array): void {
  tar.fill(0x20, 148, 156)
  const sum = tar.subarray(0, 512).reduce((all, byte) => all + byte, 0)
  tar.set(Buffer.from(`${sum.toString(8).padStart(6, '0')}\0 `), 148)
}
