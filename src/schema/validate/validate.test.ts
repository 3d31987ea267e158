import { describe, expect, test } from 'vitest'
import type { KubeObject } from '../../core/index.ts'
import { builtinSchema } from '../kinds/builtin-schema.ts'
import { checkRules } from './check-rules.ts'
import { schemaWithCrds } from '../kinds/crd-schema.ts'
import type { Finding } from './finding.ts'
import { invalidWidgets, unknownWidgets, widget, widgetCrd } from '../testdata/widgets.ts'
import { unknownFields } from './unknown-fields.ts'
import { validateObject } from './validate.ts'

const schema = schemaWithCrds(builtinSchema(), [widgetCrd])

describe('a custom resource with something unknown', () => {
  test.each(unknownWidgets)('%s', (_what, object, fields) => {
    const messages = unknownFields(object, schema).map((finding) => finding.message)
    expect(messages.sort()).toEqual(fields.map((field) => `unknown field "${field}"`).sort())
  })
})

describe('a custom resource that breaks its definition', () => {
  // Compared with a real API server's causes in e2e/schema.e2e.ts; the snapshot keeps the words without one.
  test.each(invalidWidgets)('%s', (_what, object) => {
    expect(validateObject(object, schema).map((finding) => `${finding.path}: ${finding.message}`)).toMatchSnapshot()
  })

  test('integers past 2^53 are integers', () => {
    expect(validateObject(widget({ size: 1, replicas: 2n ** 60n }), schema)).toEqual([])
  })
})

// What a kube-apiserver 1.35 answers: values are int64, limits float64, and members of an enum keep every digit.
describe('an integer past 2^53', () => {
  test.each([
    [{ maximum: 9007199254740992 }, 9007199254740993n, 'should be less than or equal to 9007199254740992'],
    [{ minimum: 9007199254740993n }, 9007199254740992, undefined],
    [{ minimum: 9007199254740992, exclusiveMinimum: true }, 9007199254740993n, undefined],
    [{ multipleOf: 2 }, 9007199254740993n, 'should be a multiple of 2'],
    [{ enum: [9007199254740993n, 1] }, 9007199254740993n, undefined],
    [{ enum: [9007199254740993n, 1] }, 9007199254740992, 'Unsupported value: 9007199254740992'],
  ])('is held to %o as the API server does', (rules, value, problem) => {
    const findings: Finding[] = []
    checkRules(value, rules, 'spec.n', findings)
    const expected = problem === undefined ? 0 : 1
    expect(findings.filter(({ message }) => message.includes(problem ?? ''))).toHaveLength(expected)
    expect(findings).toHaveLength(expected)
  })
})

describe('a built-in object', () => {
  const pod = (container: object, extra: object = {}): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'x' },
    spec: { containers: [container], ...extra },
  })

  test('with unknown fields is told where they are', () => {
    const object = pod({ name: 'a', bogus: 1, ports: [{ containerPort: 1, zz: 2 }] })
    expect(unknownFields(object, schema).map((finding) => finding.message)).toEqual([
      'unknown field "spec.containers[0].bogus"',
      'unknown field "spec.containers[0].ports[0].zz"',
    ])
  })

  test('with values of a wrong type or without a required one is told so', () => {
    const findings = validateObject(
      pod({ name: 1, ports: [{ containerPort: '1' }], args: {} }, { nodeName: null }),
      schema,
    )
    expect(findings.map((finding) => [finding.path, finding.reason])).toEqual([
      ['spec.containers[0].name', 'FieldValueTypeInvalid'],
      ['spec.containers[0].ports[0].containerPort', 'FieldValueTypeInvalid'],
      ['spec.containers[0].args', 'FieldValueTypeInvalid'],
    ])
    expect(validateObject(pod({ image: 'a' }), schema)[0]).toMatchObject({ path: 'spec.containers[0].name' })
  })

  test('with quantities, ports and free-form data as they are usually written is fine', () => {
    const container = {
      name: 'a',
      resources: { limits: { cpu: 1, memory: '1Gi' } },
      livenessProbe: { httpGet: { port: 'http' } },
      readinessProbe: { httpGet: { port: 80 } },
    }
    expect(validateObject(pod(container), schema)).toEqual([])
  })

  test('with null for a time that it must have is fine, as the API server itself writes it', () => {
    const event = { apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: { name: 'x' }, eventTime: null }
    expect(validateObject(event, schema)).toEqual([])
  })

  test('of a kind that nobody knows is left alone', () => {
    expect(validateObject({ apiVersion: 'a/v1', kind: 'B', metadata: { name: 'c' }, x: 1 }, schema)).toEqual([])
  })
})

test('a pattern over which others take for ever is matched at once, and one that Go does not know is left to the server', () => {
  const withPattern = (pattern: string): KubeObject => {
    const openAPIV3Schema = { type: 'object', properties: { name: { type: 'string', pattern } } }
    const names = { plural: 'gadgets', singular: 'gadget', kind: 'Gadget' }
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }]
    const spec = { group: 'example.com', scope: 'Namespaced', names, versions }
    return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'x' }, spec }
  }
  const gadget = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'x' }, name: `${'a'.repeat(5000)}!` }
  const findings = (pattern: string) => validateObject(gadget, schemaWithCrds(builtinSchema(), [withPattern(pattern)]))
  expect(findings('^(a+)+$')).toMatchObject([{ path: 'name', reason: 'FieldValueInvalid' }])
  expect(findings('^(a+)+!$')).toEqual([])
  expect(findings('(?!a)')).toEqual([])
})

test.each([
  { properties: { a: null } },
  { properties: 5 },
  { required: 'name' },
  { enum: 5 },
  { items: 'x' },
  { allOf: [null] },
  { type: 5 },
])('a definition whose schema has %j judges nothing: the server refuses it', (odd) => {
  const names = { plural: 'gadgets', kind: 'Gadget', shortNames: 5 }
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', ...odd } } }
  const versions = [null, { name: 'v1', subresources: null, schema: { openAPIV3Schema } }]
  const crd = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'x' } }
  const odder = schemaWithCrds(builtinSchema(), [{ ...crd, spec: { group: 'example.com', names, versions } }])
  const gadget = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'x' }, spec: { name: 'a' } }
  expect(validateObject(gadget, odder)).toEqual([])
})
