import fc from '../../testing/fast-check.ts'
import { describe, expect, test } from 'vitest'
import { builtinSchema } from './kinds/builtin-schema.ts'
import { builtinGroups, compareForApply, compareForDelete, kindRank, type OrderedRef } from './kind-order.ts'

const rbac = 'rbac.authorization.k8s.io'

describe('the order of kinds', () => {
  test('is the documented one: namespaces, CRDs, RBAC, configuration, services, workloads, ingress, custom resources', () => {
    const documented: [string, string][][] = [
      [['', 'Namespace']],
      [['apiextensions.k8s.io', 'CustomResourceDefinition']],
      [
        ['', 'ServiceAccount'],
        [rbac, 'Role'],
        [rbac, 'RoleBinding'],
        [rbac, 'ClusterRole'],
        [rbac, 'ClusterRoleBinding'],
      ],
      [
        ['', 'ConfigMap'],
        ['', 'Secret'],
      ],
      [['', 'Service']],
      [
        ['apps', 'Deployment'],
        ['apps', 'StatefulSet'],
        ['apps', 'DaemonSet'],
      ],
      [['networking.k8s.io', 'Ingress']],
      [['cert-manager.io', 'Certificate']],
    ]
    for (const [step, next] of pairs(documented)) {
      for (const [group, kind] of step) {
        for (const [nextGroup, nextKind] of next) {
          const rank = kindRank({ group, kind })
          expect(rank, `${kind} before ${nextKind}`).toBeLessThan(kindRank({ group: nextGroup, kind: nextKind }))
        }
      }
    }
  })

  test('keeps the finer order of Flux, with webhook configurations after everything', () => {
    const finer: [string, string][] = [
      [rbac, 'ClusterRole'],
      ['storage.k8s.io', 'StorageClass'],
      [rbac, 'ClusterRoleBinding'],
      ['', 'ResourceQuota'],
      ['', 'ServiceAccount'],
      [rbac, 'Role'],
      [rbac, 'RoleBinding'],
      ['', 'ConfigMap'],
      ['', 'Secret'],
      ['', 'Service'],
      ['', 'LimitRange'],
      ['apps', 'Deployment'],
      ['apps', 'StatefulSet'],
      ['batch', 'CronJob'],
      ['policy', 'PodDisruptionBudget'],
      ['autoscaling', 'HorizontalPodAutoscaler'],
      ['kustomize.toolkit.fluxcd.io', 'Kustomization'],
      ['admissionregistration.k8s.io', 'ValidatingWebhookConfiguration'],
    ]
    for (const [[group, kind], [nextGroup, nextKind]] of pairs(finer)) {
      expect(kindRank({ group, kind }), `${kind} before ${nextKind}`).toBeLessThan(
        kindRank({ group: nextGroup, kind: nextKind }),
      )
    }
  })

  test('takes classes of any group for classes, but a foreign Service for a custom resource', () => {
    expect(kindRank({ group: 'gateway.networking.k8s.io', kind: 'GatewayClass' })).toBe(
      kindRank({ group: 'storage.k8s.io', kind: 'StorageClass' }),
    )
    expect(kindRank({ group: 'serving.knative.dev', kind: 'Service' })).toBe(
      kindRank({ group: 'example.com', kind: 'Widget' }),
    )
  })

  test('knows the groups that the API server serves', () => {
    expect(
      new Set(
        builtinSchema()
          .resources()
          .map((resource) => resource.group),
      ),
    ).toEqual(builtinGroups)
  })
})

describe('compareForApply', () => {
  const ref: fc.Arbitrary<OrderedRef> = fc.record(
    {
      group: fc.constantFrom('', 'apps', rbac, 'example.com', 'admissionregistration.k8s.io'),
      kind: fc.constantFrom(
        'Namespace',
        'Service',
        'Role',
        'Deployment',
        'MutatingWebhookConfiguration',
        'FooClass',
        'Foo',
      ),
      namespace: fc.constantFrom('a', 'b'),
      name: fc.constantFrom('a', 'b', 'ä', 'Z'),
    },
    { requiredKeys: ['group', 'kind', 'name'] },
  )

  test('is a total order: antisymmetric, transitive, and equal only for the same object', () => {
    fc.assert(
      fc.property(ref, ref, ref, (a, b, c) => {
        expect(Math.sign(compareForApply(a, b))).toBe(-Math.sign(compareForApply(b, a)) + 0)
        const chained = compareForApply(a, b) <= 0 && compareForApply(b, c) <= 0
        expect(!chained || compareForApply(a, c) <= 0).toBe(true)
        const same = a.group === b.group && a.kind === b.kind && a.namespace === b.namespace && a.name === b.name
        expect(compareForApply(a, b) === 0).toBe(same)
      }),
    )
  })

  test('sorts a set the same way however it was shuffled, and deletes in the exact reverse', () => {
    fc.assert(
      fc.property(fc.array(ref), (refs) => {
        const applied = refs.toSorted(compareForApply)
        expect(refs.toReversed().toSorted(compareForApply)).toEqual(applied)
        expect(refs.toSorted(compareForDelete)).toEqual(applied.toReversed())
      }),
    )
  })
})

function pairs<T>(items: readonly T[]): [T, T][] {
  return items.slice(1).map((next, index) => [items[index]!, next])
}
