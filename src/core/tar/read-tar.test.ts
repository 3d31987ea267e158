import { describe, expect, it } from 'vitest'
import { readTar } from './read-tar.ts'
import { writeTar } from './write-tar.ts'

const long = `${'folder/'.repeat(40)}grüße.yaml`
const tar = writeTar([
  ['b.yaml', { content: Buffer.from('b: 1\n') }],
  [long, { content: Buffer.from('l: 1\n'), mode: 0o755 }],
])
const endBytes = 1024

describe('a tar', () => {
  it.for([true, false])('is read as it was written, in its order (strict: %s)', (strict) => {
    const read = [...readTar(tar, { strict })].map((entry) => ({
      ...entry,
      content: Buffer.from(entry.content).toString(),
    }))
    expect(read).toEqual([
      { name: 'b.yaml', type: 'file', mode: 0o644, content: 'b: 1\n' },
      { name: long, type: 'file', mode: 0o755, content: 'l: 1\n' },
    ])
  })

  it('has the time that it was given, and that of 1970 otherwise', () => {
    const timeOf = (archive: Uint8Array): string => Buffer.from(archive.subarray(136, 147)).toString()
    expect(timeOf(tar)).toBe('00000000000')
    expect(timeOf(writeTar([['a', { content: new Uint8Array() }]], 8))).toBe('00000000010')
  })

  it.for([
    ['without a marked end', tar.subarray(0, -endBytes)],
    ['cut inside of its end', tar.subarray(0, -endBytes / 2)],
    ['cut in the padding of its last file', tar.subarray(0, -endBytes - 1)],
    ['followed by garbage', Buffer.concat([tar, Buffer.from('garbage')])],
    ['with a name that is no UTF-8', withName(Buffer.from([0xff]))],
    ['with a NUL byte in a name', withName(Buffer.from('a\0b'))],
  ] as const)('%s is read as Go reads it, or refused when strict', ([, careless]) => {
    expect([...readTar(careless, { strict: false })].length).toBeGreaterThan(0)
    expect(() => [...readTar(careless, { strict: true })]).toThrow(expect.objectContaining({ code: 'archive.invalid' }))
  })

  it('has as many and as large entries as allowed; an extended header counts', () => {
    expect([...readTar(tar, { strict: true, maxEntries: 3, maxEntryBytes: 400 })]).toHaveLength(2)
    const tooLarge = expect.objectContaining({ code: 'input.too-large' })
    expect(() => [...readTar(tar, { strict: true, maxEntries: 2 })]).toThrow(tooLarge)
    expect(() => [...readTar(tar, { strict: true, maxEntryBytes: 4 })]).toThrow(tooLarge)
  })
})

function withName(name: Uint8Array): Uint8Array {
  const archive = Buffer.from(writeTar([['x'.repeat(name.byteLength), { content: new Uint8Array() }]]))
  archive.set(name)
  archive.fill(0x20, 148, 156)
  const sum = archive.subarray(0, 512).reduce((all, byte) => all + byte, 0)
  archive.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return archive
}
