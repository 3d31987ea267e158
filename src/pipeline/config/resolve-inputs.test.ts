import { expect, test } from 'vitest'
import { parseComponent } from './read-component.ts'
import { resolveInputs } from './resolve-inputs.ts'

test('inputs fill in the namespace and the manifest; one that is missing or unknown is refused', () => {
  const component = parseComponent(
    `type: kubernetes_manifest\nname: in\nnamespace: shop-{{ .inputs.stage }}\nmanifest: |\n  a: {{ .inputs.stage }}\ninputs:\n  stage: {}\n`,
    'yaml',
    '/c.yaml',
  )
  expect(resolveInputs(component, { stage: 'prod' })).toMatchObject({
    namespace: 'shop-prod',
    source: { manifest: 'a: "prod"\n' },
  })
  expect(() => resolveInputs(component, {})).toThrow(
    'component in needs the input stage: give it with --input stage=VALUE',
  )
  expect(() => resolveInputs(component, { stage: 'a', other: 'b' })).toThrow('component in declares no input other')
  expect(() => resolveInputs(component, { stage: 'UPPER' })).toThrow('"shop-UPPER", which is none')
})

const typed = (inputs: string) =>
  parseComponent(
    `type: kubernetes_manifest\nname: in\nnamespace: ns\nmanifest: |\n  a: {{ .inputs.x }}\ninputs:\n  x: ${inputs}\n`,
    'yaml',
    '/c.yaml',
  )

test.each([
  ['{default: 3}', '5', 'a: 5\n'],
  ['{type: number}', '-1.5', 'a: -1.5\n'],
  ['{type: bool}', 'true', 'a: true\n'],
  ['{type: map}', 'b: c', 'a: {"b": "c"}\n'],
  ['{type: list}', '[1, x]', 'a: [1, "x"]\n'],
  ['{}', '5', 'a: "5"\n'],
  ['{type: string, default: "3"}', '5', 'a: "5"\n'],
])('an input declared as %s and given as %s is of the type that it says', (declared, given, manifest) => {
  expect(resolveInputs(typed(declared), { x: given })).toMatchObject({ source: { manifest } })
})

test.each([
  ['{type: number}', 'swordfish', 'the value of the input x must be a number'],
  ['{default: true}', 'yes please', 'the value of the input x must be true or false'],
  ['{type: map}', '[swordfish', 'the value of the input x must be a map, in JSON or YAML'],
  ['{type: list}', 'a: b', 'the value of the input x must be a list, in JSON or YAML'],
])('an input declared as %s refuses %s, and does not repeat it', (declared, given, message) => {
  expect(() => resolveInputs(typed(declared), { x: given })).toThrow(expect.objectContaining({ message }))
})

test('a default of another type than the input is refused with its line', () => {
  expect(() => typed('{type: number, default: "3"}')).toThrow(
    '/c.yaml:7: inputs.x.default is a string, and the input is a number',
  )
})

test('an undeclared reference of an inline manifest is refused with the file, the line of the manifest and its name', () => {
  const text =
    'type: kubernetes_manifest\nname: in\nnamespace: ns\nmanifest: |\n  a: 1\n  b: {{ .inputs.y }}\ninputs:\n  x: {default: 1}\n'
  expect(() => resolveInputs(parseComponent(text, 'yaml', '/c.yaml'), {})).toThrow(
    '/c.yaml: line 2 of manifest: component in declares no input y',
  )
})

test.each([
  ['toml', '[inputs.x]\ndefault = 9007199254740993\n'],
  ['yaml', 'inputs:\n  x: {default: 9007199254740993}\n'],
] as const)('an input past 2^53 of a %s file keeps every digit', (format, inputs) => {
  const fields = ['type', 'name', 'namespace', 'manifest'].map((field, index) => {
    const value = ['kubernetes_manifest', 'in', 'ns', 'a: {{ .inputs.x }}\\nb: 1'][index]!
    return format === 'toml' ? `${field} = "${value}"\n` : `${field}: "${value}"\n`
  })
  const component = parseComponent(fields.join('') + inputs, format, `/c.${format}`)
  expect(resolveInputs(component, {})).toMatchObject({ source: { manifest: 'a: 9007199254740993\nb: 1' } })
  const given = resolveInputs(component, { x: '9223372036854775807' })
  expect(given).toMatchObject({ source: { manifest: 'a: 9223372036854775807\nb: 1' } })
})
