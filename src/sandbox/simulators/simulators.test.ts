import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { KubeObject } from '../../core/index.ts'
import { setMetadata } from '../controllers/writes.ts'
import { type ControlPlane, controlPlane, type Loose } from '../testing/control-plane.ts'

const kinds = [
  ['source.toolkit.fluxcd.io', 'v1', 'GitRepository', 'gitrepositories'],
  ['source.toolkit.fluxcd.io', 'v1', 'OCIRepository', 'ocirepositories'],
  ['kustomize.toolkit.fluxcd.io', 'v1', 'Kustomization', 'kustomizations'],
  ['helm.toolkit.fluxcd.io', 'v2', 'HelmRelease', 'helmreleases'],
  ['k0rdent.mirantis.com', 'v1beta1', 'ServiceTemplate', 'servicetemplates'],
] as const

describe('simulated controllers', () => {
  let plane: ControlPlane
  beforeEach(async () => {
    plane = controlPlane(['flux', 'service-templates'])
    for (const [group, version, kind, plural] of kinds) {
      const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
      const schema = { openAPIV3Schema: { type: 'object', properties: { spec: free, status: free } } }
      plane.create({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `${plural}.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
          versions: [{ name: version, served: true, storage: true, subresources: { status: {} }, schema }],
        },
      })
    }
    await new Promise((resolve) => setImmediate(resolve))
    await plane.idle()
  })
  afterEach(() => plane.stop())

  function create(kind: string, name: string, spec: object, annotations: Record<string, string> = {}): KubeObject {
    const [group, version] = kinds.find(([, , known]) => known === kind) ?? []
    return plane.create({ apiVersion: `${group}/${version}`, kind, metadata: { name, annotations }, spec })
  }
  const find = (kind: string, name: string): Loose => {
    const [group, , , plural] = kinds.find(([, , known]) => known === kind) ?? []
    return plane.get(`${group}/${plural}`, name)!
  }
  const condition = (kind: string, name: string, type = 'Ready'): string | undefined => {
    const found = find(kind, name).status.conditions?.find((one) => one.type === type)
    return found === undefined ? undefined : `${found.status} ${found.reason}`
  }
  const annotate = async (object: KubeObject, annotations: Record<string, string>): Promise<void> => {
    setMetadata(plane.backend, 'test', object, { annotations })
    await plane.idle()
  }
  const source = { url: 'https://example.com/app.git', ref: { branch: 'main' } }
  const git = { sourceRef: { kind: 'GitRepository', name: 'app' } }

  it('give a source a revision, and its Kustomization the same', async () => {
    create('Kustomization', 'app', git)
    await plane.idle()
    expect(condition('Kustomization', 'app')).toBe('False ArtifactFailed')
    const repository = create('GitRepository', 'app', source)
    await plane.idle()
    const { revision } = find('GitRepository', 'app').status['artifact'] as { revision: string }
    expect(revision).toMatch(/^main@sha1:[0-9a-f]{40}$/)
    expect(condition('Kustomization', 'app')).toBe('True ReconciliationSucceeded')
    expect(find('Kustomization', 'app').status).toMatchObject({ lastAppliedRevision: revision, observedGeneration: 1 })
    await annotate(repository, { 'lading.dev/simulate-revision': 'main@sha1:next' })
    expect(find('Kustomization', 'app').status['lastAppliedRevision']).toBe('main@sha1:next')
    expect(find('Kustomization', 'app').status['history']).toHaveLength(2)
  })

  it('record a release whenever a chart or its values change', async () => {
    const chart = (version: string) => ({
      spec: { chart: 'web', version, sourceRef: { kind: 'HelmRepository', name: 'r' } },
    })
    const release = create('HelmRelease', 'web', { chart: chart('1.0.0'), values: { a: 1 } })
    await plane.idle()
    expect(condition('HelmRelease', 'web')).toBe('True InstallSucceeded')
    await plane.change(release, { chart: chart('1.1.0') })
    await plane.change(release, { values: { a: 2 } })
    expect(condition('HelmRelease', 'web')).toBe('True UpgradeSucceeded')
    const { history } = find('HelmRelease', 'web').status as { history?: Record<string, unknown>[] }
    expect(history?.map((entry) => ['version', 'chartVersion', 'status'].map((field) => entry[field]))).toEqual([
      [3, '1.1.0', 'deployed'],
      [2, '1.1.0', 'superseded'],
      [1, '1.0.0', 'superseded'],
    ])
  })

  it('say that a token was handled', async () => {
    const repository = create('GitRepository', 'app', source)
    await plane.idle()
    await annotate(repository, { 'reconcile.fluxcd.io/requestedAt': 'now' })
    expect(find('GitRepository', 'app').status['lastHandledReconcileAt']).toBe('now')
  })

  it('leave alone what is suspended', async () => {
    const repository = create('GitRepository', 'app', { ...source, suspend: true })
    await plane.idle()
    expect(find('GitRepository', 'app')['status']).toBeUndefined()
    await plane.change(repository, { suspend: false })
    expect(condition('GitRepository', 'app')).toBe('True Succeeded')
  })

  it('wait for what an object depends on', async () => {
    create('GitRepository', 'app', source)
    create('Kustomization', 'second', { ...git, dependsOn: [{ name: 'first' }] })
    const first = create('Kustomization', 'first', git, { 'lading.dev/simulate': 'fail' })
    await plane.idle()
    expect(condition('Kustomization', 'first')).toBe('False ReconciliationFailed')
    expect(condition('Kustomization', 'second')).toBe('False DependencyNotReady')
    await annotate(first, {})
    expect(condition('Kustomization', 'second')).toBe('True ReconciliationSucceeded')
  })

  it('stall, hang and take their time when asked to', async () => {
    create('GitRepository', 'stalled', source, { 'lading.dev/simulate': 'stalled' })
    create('GitRepository', 'hung', source, { 'lading.dev/simulate': 'hang' })
    create('GitRepository', 'slow', source, { 'lading.dev/simulate': 'slow', 'lading.dev/simulate-seconds': '5' })
    await plane.idle()
    expect(condition('GitRepository', 'stalled', 'Stalled')).toBe('True Stalled')
    expect(condition('GitRepository', 'hung')).toBe('Unknown Progressing')
    expect(condition('GitRepository', 'slow')).toBe('Unknown Progressing')
    await plane.advance(5000)
    expect(condition('GitRepository', 'slow')).toBe('True Succeeded')
    expect(condition('GitRepository', 'slow', 'Reconciling')).toBeUndefined()
    expect(condition('GitRepository', 'hung')).toBe('Unknown Progressing')
  })

  it('find service templates valid, or not when an annotation says so', async () => {
    create('ServiceTemplate', 'good', {})
    create(
      'ServiceTemplate',
      'bad',
      {},
      { 'lading.dev/simulate': 'invalid', 'lading.dev/simulate-message': 'no chart' },
    )
    await plane.idle()
    expect(find('ServiceTemplate', 'good').status).toMatchObject({ valid: true, observedGeneration: 1 })
    expect(find('ServiceTemplate', 'bad').status).toMatchObject({ valid: false, validationError: 'no chart' })
  })
})
