import fc from '../testing/fast-check.ts'
import { type Config, metadata, some } from './random-values.ts'

/** Objects of a definition that has every kind of list and map, and two versions. */
export function widgets(): fc.Arbitrary<Config> {
  const item = some(
    {
      key: fc.constantFrom('k1', 'k2', 'k3'),
      value: fc.constantFrom(1, 2),
      tags: fc.array(fc.constantFrom('t1', 't2'), { maxLength: 2 }),
    },
    ['key'],
  )
  const free = fc.oneof(fc.constant(1), fc.constant({ deep: true }), fc.constant([1, 2]))
  const spec = {
    size: fc.constantFrom(1, 2, 9007199254740991, 5),
    items: fc.uniqueArray(item, { selector: ({ key }) => key, maxLength: 3 }),
    set: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
    atomicList: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
    atomicMap: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('1', '2'), { maxKeys: 2 }),
    atomicItems: fc.array(some({ a: fc.constantFrom(1, 2), b: fc.constant('x') }), { maxLength: 2 }),
    free: fc.dictionary(fc.constantFrom('a', 'b'), free, { maxKeys: 2 }),
    withDefault: fc.constantFrom('given', 'default'),
    nested: some({ a: fc.constantFrom('1', '2'), inner: some({ b: fc.constantFrom('1', '2') }) }),
    port: fc.constantFrom(80, 'web'),
    fixed: fc.constantFrom('once', 'once', 'twice'),
  }
  const condition = fc.record({ type: fc.constantFrom('Ready', 'Healthy'), status: fc.constantFrom('True', 'False') })
  const status = some({
    phase: fc.constantFrom('A', 'B'),
    conditions: fc.uniqueArray(condition, { selector: ({ type }) => type, maxLength: 2 }),
  })
  return some({ metadata: metadata(), spec: some(spec), status })
}

const text = { type: 'string' }

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer', format: 'int64', 'x-kubernetes-validations': [{ rule: 'self != 5' }] },
        withDefault: { type: 'string', default: 'default' },
        items: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['key'],
          items: {
            type: 'object',
            required: ['key'],
            properties: { key: text, value: { type: 'integer' }, tags: { type: 'array', items: text } },
          },
        },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
        atomicList: { type: 'array', items: text },
        atomicMap: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: text },
        atomicItems: {
          type: 'array',
          items: {
            type: 'object',
            properties: { a: { type: 'integer' }, b: text, c: { type: 'string', default: 'c' } },
          },
        },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        nested: {
          type: 'object',
          properties: {
            a: text,
            inner: { type: 'object', default: {}, properties: { b: text, c: { type: 'string', default: 'deep' } } },
          },
        },
        port: { 'x-kubernetes-int-or-string': true },
        fixed: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'stays' }] },
      },
    },
    status: {
      type: 'object',
      properties: {
        phase: text,
        conditions: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
          items: { type: 'object', required: ['type'], properties: { type: text, status: text } },
        },
      },
    },
  },
}

/** The definition of the widgets. */
export const widgetCrd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.fields.lading.dev' },
  spec: {
    group: 'fields.lading.dev',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      subresources: { status: {} },
      schema: { openAPIV3Schema: schema },
    })),
  },
}
