import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../core/index.ts'
import { admissionReferences, refersTo } from './admission-references.ts'

describe('what the API server looks up on admission', () => {
  it('is the service account, the classes and the limits of a Pod', () => {
    const pod = object('v1', 'Pod', 'web', { spec: { serviceAccountName: 'runner', priorityClassName: 'high' } })
    const needed = admissionReferences(pod)
    const needs = (other: KubeObject): boolean => needed.some((reference) => refersTo(reference, other))
    expect(needs(object('v1', 'ServiceAccount', 'runner'))).toBe(true)
    expect(needs(object('v1', 'ServiceAccount', 'default'))).toBe(false)
    expect(needs({ ...object('v1', 'ServiceAccount', 'runner'), metadata: { name: 'runner', namespace: 'b' } })).toBe(
      false,
    )
    expect(needs(clusterWide('scheduling.k8s.io/v1', 'PriorityClass', 'high'))).toBe(true)
    expect(needs(object('v1', 'LimitRange', 'any'))).toBe(true)
    expect(needs(object('v1', 'ConfigMap', 'runner'))).toBe(false)
  })

  it('is the role of a binding', () => {
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' }
    const [needed] = admissionReferences(object('rbac.authorization.k8s.io/v1', 'RoleBinding', 'b', { roleRef }))
    expect(needed && refersTo(needed, object('rbac.authorization.k8s.io/v1', 'Role', 'reader'))).toBe(true)
  })

  it('is nothing for what creates Pods later', () => {
    const spec = { template: { spec: { serviceAccountName: 'runner' } } }
    expect(admissionReferences(object('apps/v1', 'Deployment', 'web', { spec }))).toEqual([])
  })
})

function object(apiVersion: string, kind: string, name: string, rest: object = {}): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace: 'a' }, ...rest }
}

function clusterWide(apiVersion: string, kind: string, name: string): KubeObject {
  return { apiVersion, kind, metadata: { name } }
}
