import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type GitObject, objectId } from './git-object.ts'
import { readPack } from './read-pack.ts'
import { head, makeDelta, makePack, type PackInput, signed } from './testdata/make-pack.ts'

const blob = (text: string): GitObject => ({ type: 'blob', data: Buffer.from(text) })
const hello = blob('hello world\n')
const helloId = objectId(hello)
// 12 bytes of the base, then more: "hello there\n".
const there = makeDelta(12, 12, [[0, 6], 'there\n'])

const texts = (entries: readonly PackInput[]) =>
  [...readPack(makePack(entries)).values()].map(({ data }) => Buffer.from(data).toString()).sort()

describe('a pack', () => {
  it('gives its objects by the ids that git gives them', () => {
    const objects = readPack(makePack([hello, blob('')]))
    expect([...objects.keys()].sort()).toEqual([
      '3b18e512dba79e4c8300dd08aeb37f8e728b8dad',
      'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
    ])
  })

  it('makes objects of deltas, whether they name their base by place or by id, before or behind them', () => {
    expect(texts([hello, { base: 0, delta: there }])).toEqual(['hello there\n', 'hello world\n'])
    expect(texts([{ base: helloId, delta: there }, hello])).toEqual(['hello there\n', 'hello world\n'])
    const again = makeDelta(12, 7, ['x', [6, 6]])
    expect(texts([hello, { base: 0, delta: there }, { base: 1, delta: again }])).toContain('xthere\n')
    const far = blob('y'.repeat(70_000))
    expect(texts([far, hello, { base: 0, delta: makeDelta(70_000, 65_536, [[4464, 65_536]]) }])).toContain(
      'y'.repeat(65_536),
    )
  })

  it.each<[string, () => Buffer, RegExp]>([
    ['is no pack', () => signed(Buffer.from('JUNK'.repeat(8))), /no pack/],
    ['has another version', () => signed(Buffer.from(`PACK\0\0\0\x03${'\0'.repeat(24)}`, 'latin1')), /version 3/],
    ['has a wrong checksum', () => Buffer.concat([makePack([hello]).subarray(0, -1), Buffer.from([0])]), /checksum/],
    ['is cut off', () => signed(makePack([hello]).subarray(0, -25)), /damaged pack/],
    ['has fewer objects than it says', () => makePack([hello], 2), /cut off/],
    ['has more objects than it says', () => makePack([hello, hello], 1), /follows its last object/],
    ['has a delta without a base', () => makePack([{ base: '0'.repeat(40), delta: there }]), /no base/],
    ['has a delta on itself', () => packOf(head(6, there.length), Buffer.from([0]), deflateSync(there)), /no base/],
    ['has a delta for another base', () => makePack([blob('short'), { base: 0, delta: there }]), /not meant for/],
    ['copies from behind its base', () => deltaOf(12, 12, [[8, 12]]), /leads out/],
    ['writes behind its object', () => deltaOf(12, 3, [[0, 12]]), /leads out/],
    ['fills less than its object', () => deltaOf(12, 13, [[0, 12]]), /too short/],
    ['has an unknown instruction', () => makePack([hello, { base: 0, delta: Buffer.from([12, 12, 0]) }]), /unknown/],
    ['lies about the size of an object', () => packOf(head(3, 3), deflateSync(Buffer.from('hello'))), /damaged pack/],
    ['has an object of an unknown type', () => packOf(head(5, 5), deflateSync(Buffer.from('hello'))), /type 5/],
  ])('that %s is refused', (_what, make, words) => {
    expect(() => readPack(make())).toThrow(
      expect.objectContaining({ code: 'git.failed', message: expect.stringMatching(words) as string }),
    )
  })

  it('has limits for its size, its objects and what they come to', () => {
    const pack = makePack([hello, { base: 0, delta: there }])
    const tooLarge = expect.objectContaining({ code: 'input.too-large' }) as Error
    for (const limits of [{ maxPackBytes: 50 }, { maxObjects: 1 }, { maxObjectBytes: 11 }, { maxBytes: 20 }]) {
      expect(() => readPack(pack, limits)).toThrow(tooLarge)
    }
    // A delta of a few bytes that claims gigabytes is refused before anything is made of it.
    const bomb = makePack([hello, { base: 0, delta: makeDelta(12, 2 ** 40, []) }])
    expect(() => readPack(bomb)).toThrow(tooLarge)
    const inflated = packOf(head(3, 10), deflateSync(Buffer.alloc(50_000_000)))
    expect(() => readPack(inflated)).toThrow(/damaged pack/)
  })

  it('has a limit for deltas that stand on each other, in whatever order they come', () => {
    const same = makeDelta(12, 12, [[0, 12]])
    const chain = [hello, ...Array.from({ length: 20 }, (_, base) => ({ base, delta: same }))]
    expect(readPack(makePack(chain), { maxDeltaDepth: 20 }).size).toBe(1)
    expect(() => readPack(makePack(chain), { maxDeltaDepth: 19 })).toThrow(/more than 19 deltas/)
  })
})

function packOf(...parts: readonly Uint8Array[]): Buffer {
  return signed(Buffer.concat([Buffer.from('PACK\0\0\0\x02\0\0\0\x01', 'latin1'), ...parts]))
}

function deltaOf(...args: Parameters<typeof makeDelta>): Buffer {
  return makePack([hello, { base: 0, delta: makeDelta(...args) }])
}
