import { describe, expect, it } from 'vitest'
import { isLadingError, type LadingError } from '../../core/index.ts'
import { type RenderOptions, renderChart } from './render-chart.ts'
import { loadChart } from './chart/load-chart.ts'

function render(files: Record<string, string>, options: Partial<RenderOptions> = {}) {
  const all = { 'Chart.yaml': 'apiVersion: v2\nname: demo\nversion: 1.0.0\n', ...files }
  const chart = loadChart(new Map(Object.entries(all).map(([name, text]) => [name, Buffer.from(text)])))
  return renderChart(chart, { release: { name: 'demo' }, ...options })
}

function failure(files: Record<string, string>, options: Partial<RenderOptions> = {}): LadingError {
  try {
    render(files, options)
  } catch (error) {
    if (isLadingError(error)) return error
    throw error
  }
  throw new Error('was rendered')
}

describe('a chart that means harm', () => {
  it.for([
    ['{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}', 'an include of itself'],
    ['{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}', 'a template within itself'],
    [
      '{{ define "a" }}{{ include "b" . }}{{ end }}{{ define "b" }}{{ include "a" . }}{{ end }}{{ include "a" . }}',
      'two',
    ],
    ['{{ tpl .Values.self . }}', 'a tpl of itself'],
  ] as const)('is stopped where it recurses: %s', ([template]) => {
    const failed = failure({ 'templates/a.yaml': template, 'values.yaml': "self: '{{ tpl .Values.self . }}'" })
    expect(failed.code).toMatch(/^(?:template\.limit|chart\.template)$/)
    expect(failed.message.length).toBeLessThan(2_000_000)
  })

  it.for([
    '{{ repeat 1000000000 "a" }}',
    '{{ $a := "aaaaaaaaaaaaaaaa" }}{{ range until 40 }}{{ $a = print $a $a }}{{ end }}',
    '{{ range until 1000000000 }}x{{ end }}',
    '{{ range until 100000 }}{{ repeat 10000 "a" }}{{ end }}',
    '{{ indent 1000000000 "a" }}',
    '{{ printf "%999999999d" 1 }}',
    '{{ range 1000000000 }}{{ end }}',
  ])('is stopped where it makes too much: %s', (template) => {
    const failed = failure(
      { 'templates/a.yaml': template },
      { limits: { maxOutputBytes: 1 << 24, maxSteps: 2_000_000 } },
    )
    expect(failed.code).toMatch(/^(?:template\.limit|chart\.template)$/)
  })

  it('cannot bring aliases that expand without end', () => {
    const lines = Array.from({ length: 30 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}, *a${at}]`)
    expect(failure({ 'values.yaml': ['a0: &a0 [x]', ...lines].join('\n') }).code).toBe('yaml.limit')
    expect(failure({ 'Chart.yaml': ['a0: &a0 [x]', ...lines].join('\n') }).code).toBe('chart.invalid')
  })

  it.for([
    'file:///etc/passwd',
    'file:///dev/zero',
    'http://169.254.169.254/latest',
    'https://example.com/schema.json',
    '../other.json',
    '/etc/passwd#/a',
  ])('cannot have its schema refer to %s', (reference) => {
    const schema = JSON.stringify({ properties: { a: { $ref: reference } } })
    expect(failure({ 'values.yaml': 'a: 1', 'values.schema.json': schema }).code).toBe('chart.refused')
  })

  it('cannot choose where the schema of its schema comes from', () => {
    const schema = JSON.stringify({ $schema: 'http://example.com/meta' })
    expect(failure({ 'values.schema.json': schema }).code).toBe('chart.refused')
  })

  it.for<[string, Record<string, unknown>]>([
    ['itself', { $ref: '#' }],
    ['each other', { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }],
    ['itself, in a list', { anyOf: [{ $ref: '#' }, { $ref: '#' }], type: 'array' }],
  ])('cannot have its schema refer to %s without end', ([, schema]) => {
    expect(failure({ 'values.schema.json': JSON.stringify(schema) }).code).toMatch(/^(?:values|schema)\.invalid$/)
  })

  it('cannot make its schema take for ever', () => {
    const branch = { anyOf: [{ $ref: '#/$defs/n1' }, { $ref: '#/$defs/n1' }] }
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `n${at}`,
        { allOf: [{ $ref: `#/$defs/n${at + 1}` }, { $ref: `#/$defs/n${at + 1}` }] },
      ]),
    )
    const schema = JSON.stringify({ ...branch, $defs: { ...$defs, n40: false } })
    expect(failure({ 'values.schema.json': schema }).code).toBe('schema.invalid')
    const slow = JSON.stringify({ properties: { a: { pattern: '^(a+)+$' } } })
    expect(failure({ 'values.yaml': `a: ${'a'.repeat(5000)}b`, 'values.schema.json': slow }).code).toBe(
      'values.invalid',
    )
    const deep = `${'{"not":'.repeat(5000)}true${'}'.repeat(5000)}`
    expect(failure({ 'values.schema.json': deep }).code).toBe('schema.invalid')
  })

  it.for(['null', '[null]', '"text"', '5'])('with a schema of %s is refused', (schema) => {
    expect(failure({ 'values.schema.json': schema }).code).toBe('schema.invalid')
  })

  it.for([{ writeOnly: true }, { format: 'password' }])('does not get a value of %j into an error', (secret) => {
    const schema = JSON.stringify({ properties: { a: { type: 'string', pattern: '^x', ...secret } } })
    const { message } = failure({ 'values.yaml': 'a: swordfish', 'values.schema.json': schema })
    expect(message).toContain("the value does not match pattern '^x'")
    expect(message).not.toContain('swordfish')
  })

  it.for([null, 5, 'x', [], ''])('with a part of its schema that is %j is refused', (part) => {
    for (const schema of [{ properties: { a: part } }, { allOf: [part] }, { $defs: { b: part }, $ref: '#/$defs/b' }]) {
      const files = { 'values.yaml': 'a: 1', 'values.schema.json': JSON.stringify(schema) }
      expect(failure(files).code).toBe('schema.invalid')
    }
  })

  it('may give nulls anywhere', () => {
    const files = {
      'values.yaml': 'a: null\nb: [null]\nc: {d: null}\nglobal: null\n',
      'values.schema.json': '{"properties": {"a": {"type": "null"}, "c": {"properties": {"d": {"type": "null"}}}}}',
      'templates/a.yaml': 'metadata:\nannotations:\nitems: [null]\n',
    }
    expect(render(files).manifests).toHaveLength(1)
  })

  it('has no prototype to change', () => {
    const files = {
      'values.yaml': '__proto__: {polluted: yes}\nconstructor: {prototype: {polluted: yes}}\n',
      'templates/a.yaml':
        'a: {{ .Values.polluted }}{{ .Values.toString }}\nb: {{ index .Values "__proto__" "polluted" }}\n',
    }
    expect(render(files).manifests[0]?.text).toBe('a: \nb: true')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('learns nothing of this machine', () => {
    const functions = ['env "HOME"', 'expandenv "$HOME"']
    for (const each of functions) {
      expect(failure({ 'templates/a.yaml': `a: {{ ${each} }}` }).message).toContain('not defined')
    }
    expect(render({ 'templates/a.yaml': 'a: {{ getHostByName "localhost" | quote }}' }).manifests[0]?.text).toBe(
      'a: ""',
    )
  })
})
