import { describe, expect, it } from 'vitest'
import { isLadingError, type LadingError } from '../errors.ts'
import { stringifyJson } from '../json/json.ts'
import { parseDocuments, parseYamlValue, type ReadOptions } from './parse-documents.ts'

function failure(text: string, options: ReadOptions = {}): LadingError {
  try {
    parseDocuments(text, options)
  } catch (error) {
    if (isLadingError(error)) return error
    throw error
  }
  throw new Error('was read')
}

describe('documents', () => {
  it('are numbered and placed, empty ones included', () => {
    const text = '# none yet\n---\na: 1\n---\n# empty\n---\n\nb: |\n  ---\n  -----BEGIN X-----\n...\n---\r\nc: 3'
    expect(parseDocuments(text)).toEqual([
      { value: { a: 1 }, index: 1, line: 3 },
      { value: null, index: 2, line: expect.any(Number) },
      { value: { b: '---\n-----BEGIN X-----\n' }, index: 3, line: 8 },
      { value: { c: 3 }, index: 4, line: 13 },
    ])
  })

  it.for(['', '\n', '# only a comment\n', '\ufeff', '  \n\t\n'])('there are none in %j', (text) => {
    expect(parseDocuments(text)).toEqual([])
  })

  it('may carry directives', () => {
    const text = '%YAML 1.1\n%TAG !k! tag:yaml.org,2002:\n---\na: !k!str 1\n...\n%YAML 1.2\n---\nb: 2\n'
    expect(parseDocuments(text).map(({ value }) => value)).toEqual([{ a: '1' }, { b: 2 }])
  })

  it('may follow their --- on the same line', () => {
    expect(parseDocuments('--- {a: 1}\n--- # two\nb: 2\n--- text\n').map(({ value }) => value)).toEqual([
      { a: 1 },
      { b: 2 },
      'text',
    ])
  })

  it('may be JSON values in a row, each with its line', () => {
    expect(parseDocuments('{"a": [1]}\n\n[2]\n{\n"b": "}{"}')).toEqual([
      { value: { a: [1] }, index: 1, line: 1 },
      { value: [2], index: 2, line: 3 },
      { value: { b: '}{' }, index: 3, line: 4 },
    ])
  })

  it('keep every digit of 64 bits, in YAML and in JSON', () => {
    const digits = ['9007199254740993', '-9223372036854775808', '9223372036854775807', '18446744073709551615']
    const values = digits.map(BigInt)
    expect(parseYamlValue(digits.map((each) => `- ${each}\n`).join(''))).toEqual(values)
    expect(parseYamlValue(`[${digits.join(', ')}]`)).toEqual(values)
    expect(stringifyJson(values)).toBe(`[${digits.join(',')}]`)
  })

  it('take __proto__ and constructor for keys like any other', () => {
    for (const text of [
      '__proto__: {polluted: 1}\nconstructor: x\n',
      '{"__proto__": {"polluted": 1}, "constructor": "x"}',
    ]) {
      const value = parseYamlValue(text) as Record<string, unknown>
      expect(Object.keys(value)).toEqual(['__proto__', 'constructor'])
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
      expect(value['polluted']).toBeUndefined()
    }
    const merged = parseYamlValue('a: &a {__proto__: {polluted: 1}}\nb: {<<: *a}\nc: *a\n') as Record<string, object>
    for (const each of Object.values(merged)) expect(Object.getPrototypeOf(each)).toBe(Object.prototype)
  })

  it('share nothing through aliases', () => {
    const value = parseYamlValue('a: &a {b: [1]}\nc: *a\nd: {<<: *a}\n') as Record<string, { b: number[] }>
    value['a']!.b.push(2)
    expect(value).toEqual({ a: { b: [1, 2] }, c: { b: [1] }, d: { b: [1] } })
  })
})

describe('what cannot be read', () => {
  const file = 'app.yaml'

  it.for([
    ['yaml.syntax', 'a: 1\n---\nb:\n  c: [1\nd: 2\n', { document: 2, line: 5 }],
    ['yaml.syntax', 'a: 1\n---\n---\nb: *x\n', { document: 3, line: 4, column: 5, field: 'b' }],
    ['yaml.syntax', 'a: &a [*a]\n', { document: 1, line: 1, field: 'a[0]' }],
    ['yaml.syntax', 'a: {b: "\\ud800"}\n', { document: 1, line: 1, field: 'a.b' }],
    ['yaml.syntax', '{"a": 1,\n"b" 2}', { document: 1, line: 2 }],
    ['yaml.duplicate-key', 'a:\n- b: 1\n  c: 2\n  b: 3\n', { document: 1, line: 4, column: 3, field: 'a[0].b' }],
    ['yaml.duplicate-key', '1: a\n"1": b\n', { document: 1, line: 2, field: '1' }],
    ['yaml.duplicate-key', '{"x": 1}\n{"a": {"b": 1,\n "\\u0062": 2}}', { document: 2, line: 3, field: 'a.b' }],
    ['yaml.number', 'a:\n  b: 18446744073709551617\n', { document: 1, line: 2, column: 6, field: 'a.b' }],
    ['yaml.number', '{"a": [0,\n 18446744073709551617]}', { document: 1, line: 2, field: 'a[1]' }],
    ['yaml.number', '{"a": 1e999}', { document: 1, line: 1 }],
    ['yaml.number', 'a: -.inf\n', { document: 1, line: 1, field: 'a' }],
    ['yaml.limit', `a: 1\n---\nb:\n${'['.repeat(2000)}`, { document: 2, line: 4 }],
    ['yaml.limit', `${'['.repeat(2000)}${']'.repeat(2000)}`, { document: 1, line: 1 }],
    ['yaml.limit', Array.from({ length: 1200 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''), { document: 1 }],
  ] as const)('says %s and where: %j', ([code, text, place]) => {
    const error = failure(text, { file })
    expect(error.code).toBe(code)
    expect(error.details).toMatchObject({ file, ...place })
    expect(error.message).toMatch(/^app\.yaml:\d+/)
  })

  it('counts lines by LF, CRLF and CR', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      expect(failure(['a: 1', '---', 'b: 2', 'b: 3', ''].join(end)).details).toMatchObject({
        document: 2,
        line: 4,
        column: 1,
      })
    }
  })

  it('never quotes the text around the place', () => {
    for (const text of [
      'password: "hunter2\nx: [',
      'data: {password: hunter2, password: hunter2}',
      '{"p": hunter2 "x"',
    ]) {
      const error = failure(text)
      expect(`${error.message} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain('hunter2')
    }
  })

  it('nests as deep as allowed and no deeper', () => {
    const nested = (levels: number) => `${'['.repeat(levels)}x${']'.repeat(levels)}`
    expect(parseDocuments(nested(8), { maxDepth: 8 })).toHaveLength(1)
    expect(failure(nested(9), { maxDepth: 8 }).code).toBe('yaml.limit')
  })

  it('refuses an alias bomb in time and memory of its own size', () => {
    const lines = Array.from({ length: 40 }, (_, level) => `a${level + 1}: &a${level + 1} [*a${level}, *a${level}]`)
    expect(failure(['a0: &a0 [x]', ...lines].join('\n')).code).toBe('yaml.limit')
  })

  it('refuses input past its size', () => {
    expect(failure('a: 1', { file, maxLength: 3 })).toMatchObject({
      code: 'input.too-large',
      details: { file, maxLength: 3 },
    })
  })

  it('refuses a second document where one is expected', () => {
    expect(parseYamlValue('---\na: 1\n---\n')).toEqual({ a: 1 })
    expect(parseYamlValue('# none\n')).toBeNull()
    expect(() => parseYamlValue('a: 1\n---\nb: 2\n')).toThrow(expect.objectContaining({ code: 'yaml.syntax' }))
  })

  it('reads what Helm reads where that is asked for: the last of two keys, and integers past 64 bits', () => {
    const lenient = { lenient: true }
    expect(parseYamlValue('a: 1\nb: {c: 2, c: 3}\na: 4\n', lenient)).toEqual({ a: 4, b: { c: 3 } })
    expect(parseYamlValue('{"a": 1, "a": 2}', lenient)).toEqual({ a: 2 })
    expect(parseYamlValue('a: 123456789012345678901234567890', lenient)).toEqual({ a: 1.2345678901234568e29 })
  })

  it('ends a block scalar as go-yaml does where that is asked for: without the line break that is not there', () => {
    const read = (text: string) => parseYamlValue(text, { openEnd: true })
    expect(read('a: |\n  x')).toEqual({ a: 'x' })
    expect(read('a: >\n  x\n  y')).toEqual({ a: 'x y' })
    expect(read('- |+\n  x\n- |\n  y')).toEqual(['x\n', 'y'])
    expect(read('a: |\n  x\n  ')).toEqual({ a: 'x\n' })
    expect(read('a: |\n  x\n')).toEqual({ a: 'x\n' })
    expect(parseYamlValue('a: |\n  x')).toEqual({ a: 'x\n' })
  })
})
