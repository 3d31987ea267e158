import fc from '../../../testing/fast-check.ts'
import { describe, expect, it } from 'vitest'
import type { ObjectRef } from '../../core/index.ts'
import { deletionStagesOf, stageNames, stageOf, stagesOf } from './stages.ts'

const kinds: readonly (readonly [string, string])[] = [
  ['apiextensions.k8s.io', 'CustomResourceDefinition'],
  ['', 'Namespace'],
  ['storage.k8s.io', 'StorageClass'],
  ['gateway.networking.k8s.io', 'GatewayClass'],
  ['rbac.authorization.k8s.io', 'ClusterRole'],
  ['rbac.authorization.k8s.io', 'Role'],
  ['rbac.authorization.k8s.io', 'RoleBinding'],
  ['rbac.authorization.k8s.io', 'ClusterRoleBinding'],
  ['', 'ServiceAccount'],
  ['', 'ConfigMap'],
  ['', 'Secret'],
  ['', 'Service'],
  ['', 'PersistentVolumeClaim'],
  ['apps', 'Deployment'],
  ['batch', 'Job'],
  ['', 'Pod'],
  ['autoscaling', 'HorizontalPodAutoscaler'],
  ['example.com', 'Widget'],
  ['admissionregistration.k8s.io', 'ValidatingWebhookConfiguration'],
  ['admissionregistration.k8s.io', 'ValidatingAdmissionPolicy'],
]

describe('stages', () => {
  it.each([
    ['Role before RoleBinding', 'rbac.authorization.k8s.io/Role', 'rbac.authorization.k8s.io/RoleBinding'],
    [
      'ClusterRole before ClusterRoleBinding',
      'rbac.authorization.k8s.io/ClusterRole',
      'rbac.authorization.k8s.io/ClusterRoleBinding',
    ],
    ['ServiceAccount before Secret', '/ServiceAccount', '/Secret'],
    ['ServiceAccount before Deployment', '/ServiceAccount', 'apps/Deployment'],
    ['RoleBinding before Deployment', 'rbac.authorization.k8s.io/RoleBinding', 'apps/Deployment'],
    ['ConfigMap before Pod', '/ConfigMap', '/Pod'],
    ['Secret before Job', '/Secret', 'batch/Job'],
    ['PersistentVolumeClaim before StatefulSet', '/PersistentVolumeClaim', 'apps/StatefulSet'],
    ['PriorityClass before Deployment', 'scheduling.k8s.io/PriorityClass', 'apps/Deployment'],
    ['Deployment before custom resources', 'apps/Deployment', 'example.com/Widget'],
    ['CRD before Namespace', 'apiextensions.k8s.io/CustomResourceDefinition', '/Namespace'],
    ['Namespace before ServiceAccount', '/Namespace', '/ServiceAccount'],
    [
      'custom resources before webhooks',
      'example.com/Widget',
      'admissionregistration.k8s.io/MutatingWebhookConfiguration',
    ],
    ['Service before admission policies', '/Service', 'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding'],
  ])('%s', (_name, first, second) => {
    expect(stageNames.indexOf(stageOf(kind(first)))).toBeLessThan(stageNames.indexOf(stageOf(kind(second))))
  })

  it('leaves out stages without objects', () => {
    const stages = stagesOf([ref('apps', 'Deployment', 'web'), ref('', 'ConfigMap', 'settings')], (each) => each)
    expect(stages.map((stage) => stage.name)).toEqual(['configuration', 'workloads'])
  })

  it('deletes in the exact reverse of apply, whatever the set', () => {
    const anyRef = fc
      .tuple(fc.constantFrom(...kinds), fc.stringMatching(/^[a-z]{1,4}$/))
      .map(([[group, kindName], name]) => ref(group, kindName, name))
    fc.assert(
      fc.property(fc.uniqueArray(anyRef, { selector: key }), (refs) => {
        const applied = stagesOf(refs, (each) => each).flatMap((stage) => stage.objects.map(key))
        const deleted = deletionStagesOf(refs, (each) => each).flatMap((stage) => stage.objects.map(key))
        expect(deleted).toEqual(applied.toReversed())
        expect(applied).toHaveLength(refs.length)
      }),
    )
  })
})

function kind(text: string): { group: string; kind: string } {
  const [group = '', name = ''] = text.split('/')
  return { group, kind: name }
}

function ref(group: string, kindName: string, name: string): ObjectRef {
  return { group, version: 'v1', kind: kindName, name }
}

function key(each: ObjectRef): string {
  return `${each.group}/${each.kind}/${each.name}`
}
