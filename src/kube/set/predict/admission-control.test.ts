import { describe, expect, it } from 'vitest'
import { context, LadingError } from '../../../core/index.ts'
import type { ApiResource, Cluster } from '../../cluster.ts'
import { readAdmissionControl } from './admission-control.ts'

const configMaps = { group: '', resource: 'configmaps' }
const deployments = { group: 'apps', resource: 'deployments' }

describe('admission control', () => {
  it('has no say where there is none', async () => {
    const decides = await readAdmissionControl(cluster({}), context())
    expect([configMaps, deployments].map(decides)).toEqual([false, false])
  })

  it.each([
    ['everything', { apiGroups: ['*'], resources: ['*'], operations: ['*'] }, [true, true]],
    ['everything and what is below', { apiGroups: ['*'], resources: ['*/*'], operations: ['CREATE'] }, [true, true]],
    ['one resource', { apiGroups: [''], resources: ['configmaps'], operations: ['UPDATE'] }, [true, false]],
    ['one group', { apiGroups: ['apps'], resources: ['*'], operations: ['CREATE'] }, [false, true]],
    ['deletions', { apiGroups: ['*'], resources: ['*'], operations: ['DELETE'] }, [false, false]],
    ['what is below alone', { apiGroups: ['*'], resources: ['deployments/scale'], operations: ['*'] }, [false, false]],
  ])('has its say by rules for %s, of webhooks and of policies', async (_what, rule, expected) => {
    const webhooks = { MutatingWebhookConfiguration: [{ webhooks: [{ rules: [rule] }] }] }
    const policies = { ValidatingAdmissionPolicy: [{ spec: { matchConstraints: { resourceRules: [rule] } } }] }
    for (const found of [webhooks, policies]) {
      const decides = await readAdmissionControl(cluster(found), context())
      expect([configMaps, deployments].map(decides)).toEqual(expected)
    }
  })

  it('is expected everywhere where it may not be read, or is of a kind that is not known', async () => {
    const hidden = await readAdmissionControl(cluster({ ValidatingWebhookConfiguration: 'forbidden' }), context())
    const unknown = await readAdmissionControl(cluster({ SomethingNew: [] }), context())
    expect([hidden(configMaps), unknown(configMaps)]).toEqual([true, true])
  })

  it('has a say in everything by a policy that names nothing', async () => {
    const decides = await readAdmissionControl(cluster({ MutatingAdmissionPolicy: [{ spec: {} }] }), context())
    expect(decides(configMaps)).toBe(true)
  })
})

/** A cluster that serves kinds of admission and holds these objects of them. */
function cluster(found: Readonly<Record<string, readonly object[] | 'forbidden'>>): Cluster {
  const resources = Object.keys(found).map((kind): ApiResource => ({
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    kind,
    resource: kind.toLowerCase(),
    namespaced: false,
    verbs: ['list'],
    shortNames: [],
    categories: [],
    subresources: [],
  }))
  const unused = (): never => {
    throw new Error('not used')
  }
  return {
    discovery: {
      find: async ({ kind }) => resources.find((resource) => resource.kind === kind),
      all: async () => resources,
      invalidate: unused,
    },
    transport: {
      server: 'https://example.com',
      identity: 'test',
      request: async ({ path }) => {
        const [, objects] = Object.entries(found).find(([kind]) => path.endsWith(`/${kind.toLowerCase()}`)) ?? []
        if (objects === 'forbidden') throw new LadingError('kube.forbidden', 'no')
        const items = (objects ?? []).map((object, at) => ({ metadata: { name: `a-${at}` }, ...object }))
        return { status: 200, headers: {}, warnings: [], body: { metadata: { resourceVersion: '1' }, items } }
      },
      stream: unused,
      close: async () => undefined,
    },
  }
}
