import { gzipSync } from 'node:zlib'

/** One entry of a tar as a test wants it, however wrong. */
export interface PackedEntry {
  readonly name: string
  readonly data?: Uint8Array
  /** The type flag of the header: `0` a file, `2` a link, `5` a folder. */
  readonly type?: string
  readonly linkName?: string
}

/** Packs files into a .tgz. */
export function packTgz(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  return packEntries([...files].map(([name, data]) => ({ name, data })))
}

/** Packs entries into a .tgz as they are given. */
export function packEntries(entries: readonly PackedEntry[]): Uint8Array {
  const blocks = entries.flatMap(({ name, data = new Uint8Array(), type = '0', linkName = '' }) => [
    header(name, data.length, type, linkName),
    Buffer.concat([data, Buffer.alloc((512 - (data.length % 512)) % 512)]),
  ])
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}

function header(name: string, size: number, type: string, linkName: string): Buffer {
  const block = Buffer.alloc(512)
  block.write(name, 0, 100)
  block.write('0000644\0', 100)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write('00000000000\0', 136)
  block.write('        ', 148)
  block.write(type, 156)
  block.write(linkName, 157, 100)
  block.write('ustar\u000000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}
