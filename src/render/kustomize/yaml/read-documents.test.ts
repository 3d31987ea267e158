import { describe, expect, it } from 'vitest'
import { readDocuments } from './read-documents.ts'
import { toJson } from './value.ts'

const read = (text: string) => readDocuments(text, 'x.yaml').map(toJson)

describe('a stream of documents', () => {
  it('is cut at its separators, empty documents left out', () => {
    expect(read('---\na: 1\n---\n# nothing\n---\nb: 2\n--- # more\nc: 3\n')).toEqual([{ a: 1 }, { b: 2 }, { c: 3 }])
    expect(read('a: 1\r\n---\r\nb: 2\r\n')).toEqual([{ a: 1 }, { b: 2 }])
    expect(read('{\n\t"a": 1\n}\n')).toEqual([{ a: 1 }])
  })

  it('expands anchors, and lets the keys of a map win over those it merges', () => {
    expect(read('x: &x {a: 1, b: 2}\ny: {b: 3, <<: *x}\nz: *x\nw: {<<: [{a: 5}, *x]}\n')).toEqual([
      { x: { a: 1, b: 2 }, y: { a: 1, b: 3 }, z: { a: 1, b: 2 }, w: { a: 5, b: 2 } },
    ])
  })

  it('takes a key named __proto__ for a key', () => {
    expect(JSON.stringify(read('__proto__: {polluted: true}\n'))).toBe('[{"__proto__":{"polluted":true}}]')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it.each([
    ['a: 1\na: 2\n', 'yaml.duplicate-key', 2],
    ['a: 1\n1: 2\n', 'yaml.syntax', 2],
    ['a: *b\n', 'yaml.syntax', 1],
    ['a: 1\n---\nb: [\n', 'yaml.syntax', 4],
    ['a: .inf\n', 'yaml.number', 1],
    ['a: 1\n---x\nb: 2\n', 'yaml.syntax', 2],
  ])('%j is refused where the mistake is', (text, code, line) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code }))
    expect(() => read(text)).toThrow(new RegExp(`^x.yaml, line ${line}:`))
  })
})
