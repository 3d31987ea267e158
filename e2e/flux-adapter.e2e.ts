import { afterAll, beforeAll, describe, inject, it } from 'vitest'
import { context, type KubeObject } from '../src/core/index.ts'
import { adapterContract, type AdapterTarget, type DeploymentSample } from '../src/deployment/contract/index.ts'
import type { DeploymentAdapter } from '../src/deployment/index.ts'
import { createFluxAdapter } from '../src/flux/index.ts'
import { connect, createObject } from '../src/kube/index.ts'
import { startFlux, startGitServer } from '../testbed/index.ts'
import { openNamespace } from './fixtures/live-namespace.ts'

/** The first use of a program builds it. */
const buildTimeout = 30 * 60_000
const ctx = context()

const runner = { describe, it, afterAll, beforeAll: (body: () => Promise<void>) => beforeAll(body, buildTimeout) }
adapterContract(runner, 'the Flux adapter with the controllers of Flux', openRealFlux)

async function openRealFlux(): Promise<AdapterTarget> {
  const home = await openNamespace(`flux-adapter-${process.pid}`)
  const flux = await startFlux({ kubeconfig: inject('kubeconfig') }, { namespace: home.name })
  const git = await startGitServer()
  const { url } = await git.commit('fleet', files)
  const cluster = await connect({ kubeconfig: inject('kubeconfig'), context: 'admin' }, ctx)
  const fleet: KubeObject = {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { name: 'fleet', namespace: home.name },
    spec: { url, ref: { branch: 'main' }, interval: '1m' },
  }
  await createObject(cluster, fleet, {}, ctx)
  const config = { namespace: home.name, sourceNamespace: home.name, targetNamespace: home.name, interval: '1m' }
  const adapter = createFluxAdapter(cluster, config, ctx)
  return {
    adapter,
    cluster,
    samples: samplesIn(home.name),
    async close() {
      // Only a running Flux can finalize its objects.
      await deleteAll(adapter)
      await adapter.close()
      await cluster.close()
      await git.stop()
      await flux.stop()
      await home.close()
    },
  }
}

const names = ['one', 'two', 'three'] as const

const files = Object.fromEntries(
  names.flatMap((name) => [
    [`apps/${name}/config.yaml`, configMap(`{name: app-${name}}`)],
    [`charts/${name}/Chart.yaml`, `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`],
    [`charts/${name}/templates/config.yaml`, configMap('{name: {{ .Release.Name | trunc 50 }}-config}')],
  ]),
)

function configMap(metadata: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: ${metadata}\ndata: {greeting: hello}\n`
}

function samplesIn(namespace: string): readonly DeploymentSample[] {
  const source = { 'flux.sourceRef': 'fleet', 'flux.sourceKind': 'GitRepository' }
  return [
    {
      what: 'HelmRelease',
      request: (name) => ({
        name,
        namespace,
        values: { replicaCount: 1 },
        extensions: { ...source, 'flux.type': 'helmrelease', 'flux.chart': './charts/one' },
      }),
      updates: [
        { values: { replicaCount: 2 }, extensions: { 'flux.chart': './charts/two' } },
        { extensions: { 'flux.chart': './charts/three' } },
      ],
      shows: (extensions) => extensions['flux.chart'],
      scalable: true,
      refused: {
        request: { name: 'test', extensions: { 'flux.type': 'helmrelease' } },
        message: /^flux\.chart extension is required for HelmRelease$/,
      },
    },
    {
      what: 'Kustomization',
      request: (name) => ({
        name,
        namespace,
        extensions: { ...source, 'flux.type': 'kustomization', 'flux.path': './apps/one' },
      }),
      updates: [{ extensions: { 'flux.path': './apps/two' } }, { extensions: { 'flux.path': './apps/three' } }],
      shows: (extensions) => extensions['flux.path'],
      scalable: false,
      refused: {
        request: { name: 'test', extensions: { ...source, 'flux.type': 'kustomization', 'flux.path': '../up' } },
        message: /^invalid path: /,
      },
    },
  ]
}

async function deleteAll(adapter: DeploymentAdapter): Promise<void> {
  for (;;) {
    const { items } = await adapter.list({}, ctx)
    if (items.length === 0) return
    for (const { id, status } of items) {
      if (status !== 'deleting') await adapter.delete(id, {}, ctx).catch(() => undefined)
    }
    await ctx.clock.sleep(200, ctx.signal)
  }
}
