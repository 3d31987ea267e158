import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { context, type KubeObject } from '../src/core/index.ts'
import { connect, type Connected, createObject, deleteObject, watchObjects } from '../src/kube/index.ts'
import { type Content, createStore, drift, install, uninstall } from '../src/release/index.ts'
import { driftSuite } from '../src/release/testdata/drift-suite.ts'
import { namespaceObject } from '../src/release/testdata/release-objects.ts'
import { finish } from '../src/release/testdata/sandbox-releases.ts'

const ctx = context()
const open = (): Promise<Connected> => connect({ kubeconfig: inject('kubeconfig') }, ctx)

driftSuite(open)

describe('a ClusterRole that the control plane fills in', () => {
  const unique = `aggregated-${process.pid.toString(36)}${Date.now().toString(36)}`
  let cluster: Connected

  beforeAll(async () => {
    cluster = await open()
    await createObject(cluster, namespaceObject(unique), {}, ctx)
  })
  afterAll(async () => {
    await deleteObject(cluster, { group: '', version: 'v1', kind: 'Namespace', name: unique }, { wait: false }, ctx)
    await cluster.close()
  })

  it('has not drifted by that', async () => {
    const engine = { cluster, store: createStore({ driver: 'secrets' }, cluster) }
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]
    const clusterRoleSelectors = [{ matchLabels: { [unique]: 'x' } }]
    const content: Content = {
      release: { name: 'shop', namespace: unique },
      objects: [
        { ...role(`${unique}-part`), metadata: { name: `${unique}-part`, labels: { [unique]: 'x' } }, rules },
        { ...role(unique), aggregationRule: { clusterRoleSelectors }, rules: [] },
      ],
      source: { type: 'manifest', name: 'shop', digest: 'sha256:1' },
      values: {},
      provenance: { sources: {} },
    }
    await finish(install(engine, content, {}, ctx))
    const gvk = { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'ClusterRole' }
    for await (const event of watchObjects(cluster, { gvk, name: unique }, ctx)) {
      if ('object' in event && Array.isArray(event.object['rules']) && event.object['rules'].length > 0) break
    }
    expect((await drift(engine, content.release, {}, ctx)).drifted).toBe(false)
    await finish(uninstall(engine, content.release, {}, ctx))
  })

  function role(name: string): KubeObject {
    return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name } }
  }
})
