import { expect, test } from 'vitest'
import fc from '../../../testing/fast-check.ts'
import { parseDocuments } from '../../core/yaml/index.ts'
import { fillManifest, type Filling } from './fill-template.ts'

function fill(text: string, inputs: Filling['inputs']): string {
  return fillManifest(text, { inputs, component: 'shop', file: 'deploy.yaml' })
}

function read(text: string, inputs: Filling['inputs']): unknown[] {
  return parseDocuments(fill(text, inputs)).map(({ value }) => value)
}

test('a value that looks like YAML adds no field: it is one string', () => {
  expect(read('data:\n  a: {{ .inputs.x }}\n', { x: 'v\n  admin: "true"' })).toEqual([
    { data: { a: 'v\n  admin: "true"' } },
  ])
  expect(read('a: {{ .inputs.x }}\n', { x: '{b: c}' })).toEqual([{ a: '{b: c}' }])
  expect(read('a: {{ .inputs.x }}\n', { x: 'yes' })).toEqual([{ a: 'yes' }])
  expect(read('a: {{ .inputs.x }}\n', { x: 'v\n---\nkind: Secret' })).toEqual([{ a: 'v\n---\nkind: Secret' }])
})

test('inside of a larger string a value is escaped for that place', () => {
  const text = `image: repo/app:{{ .inputs.x }}\na: "say {{ .inputs.x }}"\nb: 'say {{ .inputs.x }}'\nc: |\n  say {{ .inputs.x }}\n  end\n`
  const x = `1" # it's\n  d: e`
  const said = `say ${x}`
  expect(read(text, { x })).toEqual([{ image: `repo/app:${x}`, a: said, b: said, c: `${said}\nend\n` }])
})

test('a reference that is the whole value keeps the type of the input; in quotes it is a string', () => {
  const text = 'i: {{ .inputs.i }}\nb: {{ .inputs.b }}\nm: {{ .inputs.m }}\nl: {{ .inputs.l }}\nq: "{{ .inputs.i }}"\n'
  const inputs = { i: 3, b: true, m: { a: { 'b: c': 1 } }, l: ['x', 2] }
  expect(read(text, inputs)).toEqual([{ ...inputs, q: '3' }])
})

test('conditions, loops and functions of templates work, and what they print is a value too', () => {
  const text =
    '{{ if eq .inputs.stage "prod" }}replicas: 3{{ else }}replicas: 1{{ end }}\nhosts:\n{{- range .inputs.hosts }}\n- {{ . }}\n{{- end }}\nname: {{ printf "%s-%d" .inputs.stage 2 }}\n'
  expect(read(text, { stage: 'prod', hosts: ['a: b', 'c'] })).toEqual([
    { replicas: 3, hosts: ['a: b', 'c'], name: 'prod-2' },
  ])
})

test('raw inserts the text as it is, because the author asked for it', () => {
  expect(read('{{ raw .inputs.key }}: {{ .inputs.block | raw }}\n', { key: 'k', block: '{a: 1}' })).toEqual([
    { k: { a: 1 } },
  ])
})

test('a comment keeps the reference instead of the value', () => {
  const filled = fill('# was {{ .inputs.x }}\na: 1 # {{ .inputs.x }}\n', { x: 'v\nb: 2' })
  expect(filled).toBe('# was {{.inputs.x}}\na: 1 # {{.inputs.x}}\n')
})

test.each([
  ['a: 1\nb: {{ .inputs.y }}\n', 'deploy.yaml:2: component shop declares no input y'],
  ['{{ .inputs.x }}: 1\n', 'deploy.yaml:1: {{.inputs.x}} stands in a key: write {{raw .inputs.x}}'],
  ['a: {b: 1,\n  c{{ .inputs.x }}: 2}\n', 'deploy.yaml:2: {{.inputs.x}} stands in a key'],
  ['a: &{{ .inputs.x }} 1\n', 'deploy.yaml:1: {{.inputs.x}} stands where YAML has no value'],
  ['a: text {{ .inputs.m }}\n', 'deploy.yaml:1: {{.inputs.m}} is a map, which cannot be part of a text'],
  ['a: "{{ .inputs.m }}"\n', 'is a map, which cannot be part of a text'],
  ['a:\n{{ nothing }}\n', 'deploy.yaml:2: function "nothing" not defined'],
  ['a: {{ .inputs.x }}\nb: [\n', 'deploy.yaml:'],
])('%j is refused with file, line and name', (text, message) => {
  expect(() => fill(text, { x: 'v', m: { a: 1 } })).toThrow(
    expect.objectContaining({ message: expect.stringContaining(message) }),
  )
})

test('an error never shows the value of an input', () => {
  expect(() => fill('{{ range .inputs.password }}{{ end }}', { password: 'swordfish' })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('swordfish'), cause: undefined }),
  )
})

const places = [
  'a: {{ .inputs.x }}\nb: 1\n',
  'a: pre {{ .inputs.x }} post\n---\nb: 1\n',
  'a: "pre {{ .inputs.x }}"\nb: 1\n',
  "a: 'pre {{ .inputs.x }}'\nb: 1\n",
  'a: |\n  {{ .inputs.x }}\n  more\nb: 1\n',
  'a: >-\n  {{ .inputs.x }}\nb: 1\n',
  'a: [{{ .inputs.x }}, {c: {{ .inputs.x }}}]\nb: 1\n',
  '{"a": {{ .inputs.x }}, "b": "{{ .inputs.x }}"}\n',
  '# {{ .inputs.x }}\na:\n- {{ .inputs.x }} # {{ .inputs.x }}\n---\nb: {{ .inputs.x }}\n',
]

const hostile = [
  ...'\n " \' # { } [ ] , | % \t \\ \u2028 \u0085'.split(' '),
  '\r\n',
  '---',
  ': ',
  '- ',
  '&a',
  '*a',
  '!!str ',
  '{{',
]
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.oneof(fc.constantFrom(...hostile), fc.string())).map((all) => all.join('')),
)

test.each(places)('no value changes the structure of %j', (text) => {
  const expected = shape(read(text, { x: 'v' }))
  fc.assert(
    fc.property(anyText, (x) => {
      expect(shape(read(text, { x }))).toEqual(expected)
    }),
  )
})

test('every text is read back as it was given', () => {
  fc.assert(
    fc.property(anyText, (x) => {
      expect(read(places[0]!, { x })).toEqual([{ a: x, b: 1 }])
    }),
  )
})

/** The keys and lengths of a value, without its scalars. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shape(item)]))
}
