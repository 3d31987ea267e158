import type { KubeObject } from '../../../core/index.ts'

/** A CRD with two served versions that uses what structural schemas have. */
export const shops: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'shops.shop.example' },
  spec: {
    group: 'shop.example',
    scope: 'Namespaced',
    names: { plural: 'shops', kind: 'Shop' },
    versions: [
      { name: 'v1alpha1', served: false, storage: false, schema: { openAPIV3Schema: { type: 'object' } } },
      {
        name: 'v1beta1',
        served: true,
        storage: false,
        deprecated: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
      },
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            description: 'A shop that sells things. */ never ends the comment',
            type: 'object',
            required: ['spec'],
            properties: {
              apiVersion: { type: 'string' },
              kind: { type: 'string' },
              metadata: { type: 'object' },
              spec: {
                type: 'object',
                required: ['size', 'tier', 'class-name'],
                properties: {
                  size: { type: 'integer', description: 'How many shelves there are.\nAt least one.' },
                  tier: { type: 'string', enum: ['free', 'paid:*'], default: 'free' },
                  'class-name': { type: 'string' },
                  port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
                  mode: { type: 'string', allOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] },
                  note: { type: 'string', nullable: true },
                  levels: { type: 'array', items: { type: 'integer', enum: [1, 2] } },
                  labels: { type: 'object', additionalProperties: { type: 'string' } },
                  settings: {
                    type: 'object',
                    'x-kubernetes-preserve-unknown-fields': true,
                    properties: { colour: { type: 'string' } },
                  },
                  extra: { 'x-kubernetes-preserve-unknown-fields': true },
                  templates: {
                    type: 'array',
                    items: {
                      type: 'object',
                      'x-kubernetes-embedded-resource': true,
                      'x-kubernetes-preserve-unknown-fields': true,
                      properties: { spec: { type: 'object', properties: { x: { type: 'boolean' } } } },
                    },
                  },
                },
              },
              status: { type: 'object', properties: { ready: { type: 'boolean' } } },
            },
          },
        },
      },
    ],
  },
}

/** A CRD that allows one name only, and says nothing else. */
export const settings: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'settings.shop.example' },
  spec: {
    group: 'shop.example',
    scope: 'Cluster',
    names: { plural: 'settings', kind: 'Setting' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            properties: { metadata: { type: 'object', properties: { name: { type: 'string', enum: ['default'] } } } },
          },
        },
      },
    ],
  },
}

/** A kind of the same name in another group. */
export const otherShops: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'shops.market.example' },
  spec: {
    group: 'market.example',
    scope: 'Namespaced',
    names: { plural: 'shops', kind: 'Shop' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
}
