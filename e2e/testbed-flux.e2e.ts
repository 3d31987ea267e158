import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { type Flux, startFlux, startGitServer } from '../testbed/index.ts'
import { hasCondition, type LiveNamespace, openNamespace } from './fixtures/live-namespace.ts'

/** The first use of a program builds it. */
const buildTimeout = 30 * 60_000

describe('Flux', () => {
  let namespace: LiveNamespace
  let flux: Flux

  beforeAll(async () => {
    namespace = await openNamespace(`testbed-flux-${process.pid}`)
    flux = await startFlux({ kubeconfig: inject('kubeconfig') }, { namespace: namespace.name })
  }, buildTimeout)

  afterAll(async () => {
    await flux.stop()
    await namespace.close()
  })

  it('reconciles a Kustomization and a HelmRelease from the git server', async () => {
    const git = await startGitServer()
    onTestFinished(() => git.stop())
    const { url } = await git.commit('fleet', {
      'apps/config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: from-git}\ndata: {greeting: hello}\n',
      'chart/Chart.yaml': 'apiVersion: v2\nname: demo\nversion: 1.0.0\n',
      'chart/templates/config.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: from-chart}\ndata: {greeting: {{ .Values.greeting }}}\n',
    })
    await namespace.create('source.toolkit.fluxcd.io/v1', 'gitrepositories', {
      kind: 'GitRepository',
      metadata: { name: 'fleet' },
      spec: { url, ref: { branch: 'main' }, interval: '1m' },
    })
    const sourceRef = { kind: 'GitRepository', name: 'fleet' }
    await namespace.create('kustomize.toolkit.fluxcd.io/v1', 'kustomizations', {
      kind: 'Kustomization',
      metadata: { name: 'apps' },
      spec: { sourceRef, path: './apps', prune: true, interval: '1m', targetNamespace: namespace.name, wait: true },
    })
    await namespace.create('helm.toolkit.fluxcd.io/v2', 'helmreleases', {
      kind: 'HelmRelease',
      metadata: { name: 'demo' },
      spec: { chart: { spec: { chart: './chart', sourceRef } }, interval: '1m', values: { greeting: 'hi' } },
    })
    await namespace.until(
      'kustomize.toolkit.fluxcd.io/v1',
      'kustomizations/apps',
      (object) => hasCondition(object, 'Ready'),
      90,
    )
    await namespace.until(
      'helm.toolkit.fluxcd.io/v2',
      'helmreleases/demo',
      (object) => hasCondition(object, 'Ready'),
      90,
    )
    const fromGit = await namespace.api.request('GET', `/api/v1/namespaces/${namespace.name}/configmaps/from-git`)
    expect(fromGit.json).toMatchObject({ data: { greeting: 'hello' } })
    const fromChart = await namespace.api.request('GET', `/api/v1/namespaces/${namespace.name}/configmaps/from-chart`)
    expect(fromChart.json).toMatchObject({ data: { greeting: 'hi' } })
    // Nothing may be left that only a running Flux can finalize.
    await namespace.remove('kustomize.toolkit.fluxcd.io/v1', 'kustomizations/apps')
    await namespace.remove('helm.toolkit.fluxcd.io/v2', 'helmreleases/demo')
    await namespace.remove('source.toolkit.fluxcd.io/v1', 'gitrepositories/fleet')
  })
})
