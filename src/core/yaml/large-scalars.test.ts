import { setFlagsFromString } from 'node:v8'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseDocuments } from './parse-documents.ts'
import { writeYaml } from './write-yaml.ts'

// What V8 falls back to in a process that holds many patterns: then each repetition keeps a place to go back to.
beforeAll(() => setFlagsFromString('--no-regexp-optimization'))
afterAll(() => setFlagsFromString('--regexp-optimization'))

const size = 12_000_000
const texts: Readonly<Record<string, string>> = {
  letters: 'a'.repeat(size),
  words: `${'abc def '.repeat(size / 8)}end`,
  lines: `${'line '.repeat(200)}end\n`.repeat(size / 1000),
  'colons between letters': `a${':a'.repeat(size / 2)}`,
  quotes: `a"'\\${'b'.repeat(96)}`.repeat(size / 100),
  spaces: `a\n${' '.repeat(size)}b`,
  digits: '1'.repeat(size),
  'digits after a point': `.1${'_1'.repeat(size / 2)}`,
  'characters outside of ASCII': '\u00e9\u{1f600}'.repeat(size / 3),
}

// A pattern that keeps a place to go back to for each character runs out of stack within 10 MB.
describe.each(Object.entries(texts))('a scalar of 12 MB: %s', (_name, text) => {
  it('is written and read back the same', () => {
    const read = parseDocuments(writeYaml({ data: { text } }), {})[0]?.value as { data: { text: string } }
    expect(read.data.text === text).toBe(true)
  })
})

it.each(['letters', 'quotes'])(
  'a key and an item of a list of 12 MB are written and read back the same: %s',
  (name) => {
    const text = texts[name] ?? ''
    const read = parseDocuments(writeYaml({ [text]: 1, list: [text] }), {})[0]?.value as Record<string, unknown>
    expect(Object.keys(read)[0] === text && (read['list'] as string[])[0] === text).toBe(true)
  },
)

it.each(['abc def ', '1', '1_', '0', '0x1', '.1_', 'é'])('a plain scalar of 12 MB is read: %s', (piece) => {
  const text = piece.repeat(size / piece.length).trim()
  const [document] = parseDocuments(`data: ${text}\n`, { lenient: true })
  // A number that no double holds stays a text, as in go-yaml.
  expect([text, 0]).toContain((document?.value as { data: unknown } | undefined)?.data)
})
