import type { KubeObject } from '../../core/index.ts'
import { hasCondition } from '../crd/conditions.ts'
import type { TestClient } from './sandbox-client.ts'

/** Where CustomResourceDefinitions are. */
export const crdsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

const rule = (text: string, message: string): Record<string, unknown> => ({
  'x-kubernetes-validations': [{ rule: text, message }],
})

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      ...rule('!has(self.min) || self.min <= self.size', 'min is above size'),
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 10 },
        min: { type: 'integer' },
        replicas: { type: 'integer', default: 1 },
        color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
        fixed: { type: 'string', maxLength: 9, ...rule('self == oldSelf', 'fixed') },
        weight: { type: 'string', ...rule("quantity(self).isGreaterThan(quantity('1'))", 'not enforced here') },
        tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: {
      type: 'object',
      properties: { phase: { type: 'string' }, replicas: { type: 'integer' }, selector: { type: 'string' } },
    },
  },
}

/** A definition of widgets in a group of its own, with two versions and both subresources. */
export function widgetCrd(
  group: string,
  change: (crd: { spec: Record<string, unknown> }) => void = () => {},
): KubeObject {
  const subresources = {
    status: {},
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  }
  const version = { served: true, schema: { openAPIV3Schema: structuredClone(schema) }, subresources }
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'] },
      versions: [
        { ...version, name: 'v1', storage: true },
        { ...version, name: 'v1beta1', storage: false },
      ],
    } as Record<string, unknown>,
  }
  change(crd)
  return crd
}

/** Creates a definition and waits until it is established. */
export async function establish(client: TestClient, crd: KubeObject): Promise<KubeObject> {
  await client.request('POST', crdsPath, crd)
  const named = `${crdsPath}?fieldSelector=metadata.name=${crd.metadata.name}`
  return client.until(named, (object) => hasCondition(object, 'Established'))
}
