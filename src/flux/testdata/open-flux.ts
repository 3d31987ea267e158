import { context, type KubeObject } from '../../core/index.ts'
import type { AdapterTarget } from '../../deployment/contract/index.ts'
import { applySet, connect, type Connected } from '../../kube/index.ts'
import { startSandbox } from '../../sandbox/index.ts'
import { createFluxAdapter } from '../flux-adapter.ts'
import { fluxCrds } from './flux-crds.ts'
import { fluxSamples } from './flux-samples.ts'

/** The adapter on a sandbox whose Flux is simulated. */
export async function openFlux(): Promise<AdapterTarget & { readonly cluster: Connected; readonly kubeconfig: string }> {
  const ctx = context()
  const sandbox = await startSandbox({ simulate: ['flux'] })
  const cluster = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
  const objects: KubeObject[] = [
    ...fluxCrds,
    ...['flux-system', 'production'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    source('GitRepository', 'infra-repo', { url: 'https://git.example/infra.git', ref: { branch: 'main' } }),
    source('HelmRepository', 'bitnami', { url: 'https://charts.example' }),
  ]
  await applySet(cluster, objects, {}, ctx)
  const adapter = createFluxAdapter(cluster, {}, ctx)
  return {
    adapter,
    cluster,
    kubeconfig: sandbox.kubeconfig,
    samples: fluxSamples,
    async close() {
      await adapter.close()
      await cluster.close()
      await sandbox.stop()
    },
  }
}

function source(kind: string, name: string, spec: object): KubeObject {
  const metadata = { name, namespace: 'flux-system' }
  return { apiVersion: 'source.toolkit.fluxcd.io/v1', kind, metadata, spec: { interval: '5m', ...spec } }
}
