import fc from '../../../testing/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { decodeLines, type LineOptions } from './decode-lines.ts'

const forgiving: LineOptions = { maxBytes: 1000, tooLong: 'split', unfinished: 'yield' }

describe('lines of a stream', () => {
  it('are the same wherever its chunks are cut', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '🚀', '\n'), maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(120)), async (content, cuts) => {
        const expected = content.split('\n')
        if (expected.at(-1) === '') expected.pop()
        expect(await lines(cut(Buffer.from(content), cuts), forgiving)).toEqual(expected)
      }),
    )
  })

  it('fail when one is longer than allowed, without waiting for its end', async () => {
    const endless = (async function* () {
      for (;;) yield Buffer.from('0123456789')
    })()
    const options: LineOptions = { maxBytes: 25, tooLong: 'fail', unfinished: 'drop' }
    await expect(lines(endless, options)).rejects.toMatchObject({ code: 'kube.response-too-large' })
  })

  it('come in pieces when they are too long and nothing may be lost', async () => {
    const options: LineOptions = { maxBytes: 8, tooLong: 'split', unfinished: 'yield' }
    const read = await lines(cut(Buffer.from('0123456789abcdef\nx'), [5, 10]), options)
    expect(read.join('')).toBe('0123456789abcdefx')
    expect(read.at(-1)).toBe('x')
  })

  it('leave out what a lost connection did not finish', async () => {
    const options: LineOptions = { maxBytes: 100, tooLong: 'fail', unfinished: 'drop' }
    expect(await lines(cut(Buffer.from('one\ntwo\nthr'), [2]), options)).toEqual(['one', 'two'])
  })
})

function lines(chunks: AsyncIterable<Uint8Array>, options: LineOptions): Promise<string[]> {
  return Array.fromAsync(decodeLines(chunks, options))
}

async function* cut(bytes: Uint8Array, at: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0
  for (const end of [...at].sort((a, b) => a - b)) {
    if (end <= start || end >= bytes.length) continue
    yield bytes.subarray(start, end)
    start = end
  }
  yield bytes.subarray(start)
}
