import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { context, type KubeObject } from '../../core/index.ts'
import { type Connected, createObject, deleteObject, patchObject } from '../../kube/index.ts'
import { correctDrift } from '../run/correct-drift.ts'
import { drift } from '../diff/drift.ts'
import type { ReleaseEngine } from '../engine.ts'
import { install } from '../run/operations.ts'
import { createStore } from '../storage/create-store.ts'
import { uninstall } from '../run/uninstall.ts'
import { config, deployment, hook, namespaceObject, shopCrd } from './release-objects.ts'
import { finish } from './sandbox-releases.ts'

const ctx = context()

/** What drift finds on any cluster with controllers: nothing in a fresh release, and what somebody did with kubectl afterwards. */
export function driftSuite(open: () => Promise<Connected>): void {
  describe.each(['secrets', 'helm'] as const)('a fresh release of the %s store', (driver) => {
    const unique = `drift-${driver}-${process.pid.toString(36)}${Date.now().toString(36)}`
    const release = { name: 'shop', namespace: unique }
    let cluster: Connected
    let engine: ReleaseEngine

    beforeAll(async () => {
      cluster = await open()
      engine = { cluster, store: createStore({ driver }, cluster) }
      await createObject(cluster, namespaceObject(unique), {}, ctx)
      const content = {
        release,
        objects: objectsOf(unique),
        source: { type: 'manifest', name: 'shop', digest: 'sha256:1' },
        values: {},
        provenance: { sources: {} },
      } as const
      await finish(install(engine, content, { wait: true, timeoutMs: 60_000 }, ctx))
    }, 90_000)

    afterAll(async () => {
      await finish(uninstall(engine, release, {}, ctx))
      const ref = { group: '', version: 'v1', kind: 'Namespace', name: unique }
      await deleteObject(cluster, ref, { wait: false }, ctx)
      await cluster.close()
    }, 90_000)

    it('has no drift: neither controllers nor the server’s defaults are taken for somebody’s work', async () => {
      const { drifted, objects, orphans } = await drift(engine, release, {}, ctx)
      const found = objects.filter(({ drift: own, note }) => own?.state !== 'none' || note !== undefined)
      expect({ drifted, found, orphans }).toEqual({ drifted: false, found: [], orphans: [] })
    })

    it('shows what was done to it with kubectl, and is as it was after a correction', async () => {
      const side = { name: 'side', image: 'registry.example/side:1' }
      await kubectl('Deployment', 'apps', 'web', { spec: { template: { spec: { containers: [side] } } } })
      await kubectl('Service', '', 'web', { spec: { ports: [{ port: 81, name: 'more' }] } })
      await kubectl('ServiceAccount', '', 'web', { metadata: { labels: { team: 'x' } } })
      await kubectl('ConfigMap', '', 'web', { data: { value: 'theirs', extra: 'x' } })
      const report = await drift(engine, release, {}, ctx)
      const told = report.objects.flatMap(({ ref, drift: own }) => [
        ...(own?.changes ?? []).map(({ path, manager }) => `changed ${ref.kind} ${path} ${manager}`),
        ...(own?.added ?? []).map(({ path, manager }) => `added ${ref.kind} ${path} ${manager}`),
      ])
      expect(told.sort()).toEqual([
        'added ConfigMap .data.extra kubectl-patch',
        'added Deployment .spec.template.spec.containers[name="side"] kubectl-patch',
        'added Service .spec.ports[port=81,protocol="TCP"] kubectl-patch',
        `added ServiceAccount .metadata.labels${driver === 'helm' ? '.team' : ''} kubectl-patch`,
        'changed ConfigMap .data.value kubectl-patch',
      ])
      const done = await finish(correctDrift(engine, report, { foreignFields: 'remove' }, ctx))
      expect(done.corrected.map(({ ref, action }) => `${action} ${ref.kind}`).sort()).toEqual(
        ['ConfigMap', 'Deployment', 'Service', 'ServiceAccount'].map((kind) => `update ${kind}`),
      )
      expect(done.remaining.drifted).toBe(false)
    })

    async function kubectl(kind: string, group: string, name: string, change: object): Promise<void> {
      const ref = { group, version: 'v1', kind, namespace: unique, name }
      await patchObject(cluster, ref, change, { type: 'strategic', fieldManager: 'kubectl-patch' }, ctx)
    }
  })
}

/** An object of each kind that controllers, admission or defaults write to. */
function objectsOf(unique: string): KubeObject[] {
  const metadata = { name: 'web' }
  const unwaited = { name: 'web', annotations: { 'lading.dev/skip-wait': 'true' } }
  const web = deployment('web')
  const { spec } = web as KubeObject & { spec: { selector: object; template: object } }
  const { selector, template } = spec
  const ports = [{ port: 80, name: 'http' }]
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
  const service = { name: 'web', namespace: unique }
  const rules = [{ apiGroups: [`${unique}.example.com`], apiVersions: ['v1'], operations: ['CREATE'], resources: ['*'] }]
  const admission = { name: 'x.example.com', admissionReviewVersions: ['v1'], sideEffects: 'None', failurePolicy: 'Ignore' }
  const { metadata: named, ...job } = hook('job', '')
  return [
    namespaceObject(`${unique}-extra`),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    config('web', '1'),
    { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { a: '1' } },
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: { app: 'web' }, ports } },
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: unwaited, spec: claim },
    web,
    { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata, spec: { selector, template, serviceName: 'web' } },
    { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: unwaited, spec: { selector, template } },
    { ...job, metadata: { name: named.name } },
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: unwaited,
      spec: { scaleTargetRef: target, minReplicas: 2, maxReplicas: 4 },
    },
    { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: unwaited, spec: { minAvailable: 1, selector } },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: unique },
      webhooks: [{ ...admission, clientConfig: { service }, rules }],
    },
    shopCrd(`${unique}.example.com`, ['v1']),
    { apiVersion: `${unique}.example.com/v1`, kind: 'Shop', metadata: unwaited, spec: { size: 1 } },
  ]
}
