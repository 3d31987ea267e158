import type { KubeObject } from '../../core/index.ts'

const group = 'schema.lading.example.com'

/** A definition that uses what structural schemas offer. */
export const widgetCrd: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'], categories: ['all'] },
    versions: [
      {
        name: 'v1beta1',
        served: true,
        storage: false,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: widgetSpec(),
              status: { type: 'object', properties: { replicas: { type: 'integer' } } },
            },
          },
        },
      },
      { name: 'v1alpha1', served: false, storage: false, schema: { openAPIV3Schema: { type: 'object' } } },
    ],
  },
}

function widgetSpec(): object {
  return {
    type: 'object',
    required: ['size'],
    properties: {
      replicas: { type: 'integer' },
      size: { type: 'integer', minimum: 1, maximum: 100 },
      even: { type: 'integer', multipleOf: 2 },
      ratio: { type: 'number', minimum: 0, exclusiveMinimum: true },
      color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
      title: { type: 'string', minLength: 2, maxLength: 5, pattern: '^[a-z]+$' },
      port: { 'x-kubernetes-int-or-string': true },
      empty: { type: 'object' },
      free: {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        properties: { inner: { type: 'object', properties: { x: { type: 'string' } } } },
      },
      template: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      labels: { type: 'object', maxProperties: 2, additionalProperties: { type: 'string' } },
      selector: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string' } },
      parts: {
        type: 'array',
        maxItems: 3,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name', 'side'],
        items: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string' },
            side: { type: 'string', default: 'left' },
            weight: { type: 'number', nullable: true },
          },
        },
      },
      tags: { type: 'array', minItems: 1, 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      source: {
        type: 'object',
        properties: { git: { type: 'string' }, oci: { type: 'string' } },
        oneOf: [{ required: ['git'] }, { required: ['oci'] }],
      },
    },
  }
}

/** A custom resource of the definition. */
export function widget(spec: unknown, extra: Record<string, unknown> = {}, metadata: object = {}): KubeObject {
  const name = { name: 'w', ...metadata }
  return { apiVersion: `${group}/v1`, kind: 'Widget', metadata: name, ...(spec === undefined ? {} : { spec }), ...extra }
}

/** Resources with something unknown in them, and the fields that strict field validation names. */
export const unknownWidgets: [what: string, object: KubeObject, fields: string[]][] = [
  ['nothing', widget({ size: 1 }), []],
  ['a field of the spec', widget({ size: 1, foo: 1 }), ['spec.foo']],
  ['fields of the object and its metadata', widget({ size: 1 }, { bogus: 1 }, { mfoo: 1 }), ['bogus', 'metadata.mfoo']],
  ['a field of an item', widget({ size: 1, parts: [{ name: 'a', zz: 1 }] }), ['spec.parts[0].zz']],
  ['a field that is free', widget({ size: 1, free: { any: { deep: 1 } } }), []],
  ['a field beside free ones', widget({ size: 1, free: { inner: { y: 1 } } }), ['spec.free.inner.y']],
  ['a field of an object without fields', widget({ size: 1, empty: { x: 1 } }), ['spec.empty.x']],
  [
    'a field of an embedded object’s metadata',
    widget({ size: 1, template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', bad: 1 }, foo: 1 } }),
    ['spec.template.metadata.bad'],
  ],
]

/** Resources that break a rule of the definition. */
export const invalidWidgets: [what: string, object: KubeObject][] = [
  ['wrong types', widget({ size: 'x', color: 'red', port: true, parts: {}, title: 1 })],
  ['a fraction for an integer', widget({ size: 1.5 })],
  ['values outside of an enum', widget({ size: 1, color: 'green' })],
  ['a missing field', widget({})],
  ['a missing object', widget(undefined)],
  ['null for a required field', widget({ size: null })],
  ['null where it means absent', widget({ size: 1, title: null, parts: [{ name: 'a', weight: null }] })],
  ['numbers out of range', widget({ size: 0, even: 3, ratio: 0 })],
  ['a number too big', widget({ size: 101 })],
  ['text that is too long', widget({ size: 1, title: 'toolong' })],
  ['text that is too short', widget({ size: 1, title: 'a' })],
  ['text of another pattern', widget({ size: 1, title: 'A1' })],
  ['too many and too few items', widget({ size: 1, tags: [], parts: ['a', 'b', 'c', 'd'].map((name) => ({ name })) })],
  ['too many entries', widget({ size: 1, labels: { a: 'x', b: 'y', c: 'z' } })],
  ['a wrong entry of a map', widget({ size: 1, labels: { a: 1 } })],
  ['an item without its key', widget({ size: 1, parts: [{ weight: 1 }] })],
  ['two items with one key', widget({ size: 1, parts: [{ name: 'a' }, { name: 'a', side: 'left' }] })],
  ['a set with a double', widget({ size: 1, tags: ['a', 'b', 'a'] })],
  ['an embedded object without a kind', widget({ size: 1, template: { foo: 1 } })],
  ['two of which only one may be', widget({ size: 1, source: { git: 'a', oci: 'b' } })],
]

/** Specs as somebody may write them, and as an API server keeps them. */
export const storedWidgets: [what: string, written: Record<string, unknown>, stored: Record<string, unknown>][] = [
  ['defaults are filled in', { size: 1 }, { size: 1, color: 'red' }],
  ['null counts as absent where it is not allowed', { size: 1, color: null, title: null }, { size: 1, color: 'red' }],
  ['unknown fields go', { size: 1, color: 'blue', foo: 1, empty: { x: 1 } }, { size: 1, color: 'blue', empty: {} }],
  [
    'items are completed, allowed nulls stay',
    { size: 1, color: 'red', parts: [{ name: 'a', weight: null, x: 1 }, { name: 'b', side: 'right' }] },
    { size: 1, color: 'red', parts: [{ name: 'a', side: 'left', weight: null }, { name: 'b', side: 'right' }] },
  ],
  [
    'free fields stay, known ones beside them are pruned',
    { size: 1, color: 'red', free: { any: { deep: [1, null] }, none: null, inner: { x: 'a', y: 1 } } },
    { size: 1, color: 'red', free: { any: { deep: [1, null] }, none: null, inner: { x: 'a' } } },
  ],
  [
    'embedded objects keep their content, their metadata is pruned',
    { size: 1, color: 'red', template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', bad: 1 }, spec: { y: 1 } } },
    { size: 1, color: 'red', template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec: { y: 1 } } },
  ],
  [
    'entries of a map that are null go',
    { size: 1, color: 'red', labels: { a: 'x', b: null } },
    { size: 1, color: 'red', labels: { a: 'x' } },
  ],
]
