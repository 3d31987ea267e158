import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { context, type KubeObject } from '../src/core/index.ts'
import {
  generateKeyPair,
  loadSigningKey,
  openRepository,
  packFiles,
  packObjects,
  pushArtifact,
  signArtifact,
  type Target,
} from '../src/oci/index.ts'
import { type Flux, type Registry, startFlux, startRegistry } from '../testbed/index.ts'
import { type LiveNamespace, type LiveObject, openNamespace } from './fixtures/live-namespace.ts'

const ctx = context()
/** The first use of a program builds it. */
const buildTimeout = 30 * 60_000
const source = { source: 'https://git.example/shop', revision: 'main@sha1:6b21c1c', created: new Date('2026-02-03') }

describe('Flux in a cluster', () => {
  let namespace: LiveNamespace
  let registry: Registry
  let flux: Flux

  beforeAll(async () => {
    registry = await startRegistry()
    namespace = await openNamespace(`artifacts-${process.pid}`)
    flux = await startFlux({ kubeconfig: inject('kubeconfig') }, { namespace: namespace.name })
  }, buildTimeout)

  afterAll(async () => {
    await flux.stop()
    await namespace.close()
    await registry.stop()
  })

  it.for(['lading', 'flux', 'kustomizer', 'tree'] as const)('deploys an artifact of the format %s', async (format) => {
    const { target, url } = open(`deployed-${format}`)
    const name = `by-${format}`
    const packed =
      format === 'tree'
        ? await packFiles(
            new Map([
              ['apps/kustomization.yaml', { content: Buffer.from('resources:\n- ../base/one.yaml\n') }],
              ['base/one.yaml', { content: Buffer.from(JSON.stringify(configMap(name))) }],
            ]),
            source,
          )
        : await packObjects([configMap(name)], { ...source, format })
    const { digest } = await pushArtifact(target, packed, 'v1', ctx)
    const path = format === 'tree' ? './apps' : './'
    await namespace.create('source.toolkit.fluxcd.io/v1', 'ocirepositories', {
      kind: 'OCIRepository',
      metadata: { name },
      spec: { url, ref: { digest }, interval: '1m', insecure: true },
    })
    await namespace.create('kustomize.toolkit.fluxcd.io/v1', 'kustomizations', {
      kind: 'Kustomization',
      metadata: { name },
      spec: {
        sourceRef: { kind: 'OCIRepository', name },
        path,
        prune: true,
        interval: '1m',
        targetNamespace: namespace.name,
        wait: true,
      },
    })
    await expect.poll(() => lastApplied(name), { timeout: 180_000, interval: 100 }).toContain(digest)
    expect(await get('v1', `configmaps/${name}`)).toMatchObject({ data: { name } })
    expect(await get('source.toolkit.fluxcd.io/v1', `ocirepositories/${name}`)).toMatchObject({
      status: { artifact: { metadata: { 'org.opencontainers.image.source': source.source } } },
    })
    // Nothing may be left that only a running Flux can finalize.
    await namespace.remove('kustomize.toolkit.fluxcd.io/v1', `kustomizations/${name}`)
    await namespace.remove('source.toolkit.fluxcd.io/v1', `ocirepositories/${name}`)
    expect(await get('v1', `configmaps/${name}`)).toMatchObject({ reason: 'NotFound' })
  })

  it.for(['tag', 'bundle'] as const)('verifies what Lading signed in the form %s', async (form) => {
    const { target, url } = open(`verified-${form}`)
    const keys = await generateKeyPair('')
    const signed = await pushArtifact(target, await packObjects([configMap('one')], source), 'signed', ctx)
    await pushArtifact(target, await packObjects([configMap('one')]), 'unsigned', ctx)
    await signArtifact(target, signed, await loadSigningKey(keys.privateKey), { form }, ctx)
    await namespace.create('v1', 'secrets', {
      kind: 'Secret',
      metadata: { name: `keys-${form}` },
      stringData: { 'lading.pub': keys.publicKey },
    })
    const verify = { provider: 'cosign', secretRef: { name: `keys-${form}` } }
    for (const [tag, reason] of [
      ['signed', 'Succeeded'],
      ['unsigned', 'VerificationError'],
    ] as const) {
      const name = `${tag}-${form}`
      await namespace.create('source.toolkit.fluxcd.io/v1', 'ocirepositories', {
        kind: 'OCIRepository',
        metadata: { name },
        spec: { url, ref: { tag }, interval: '1m', insecure: true, verify },
      })
      const verified = ({ status }: LiveObject): boolean =>
        status.conditions?.find(({ type }) => type === 'SourceVerified')?.reason === reason
      await namespace.until('source.toolkit.fluxcd.io/v1', `ocirepositories/${name}`, verified)
      await namespace.remove('source.toolkit.fluxcd.io/v1', `ocirepositories/${name}`)
    }
  })

  async function lastApplied(name: string): Promise<string> {
    const { status } = (await get('kustomize.toolkit.fluxcd.io/v1', `kustomizations/${name}`)) as {
      status?: { lastAppliedRevision?: string }
    }
    return status?.lastAppliedRevision ?? `nothing yet: ${JSON.stringify(status)}`.replaceAll('sha256:', '')
  }

  async function get(apiVersion: string, resource: string): Promise<unknown> {
    return (await namespace.api.request('GET', namespace.pathOf(apiVersion, resource))).json
  }

  function open(repository: string): { target: Target; url: string } {
    const url = `oci://${registry.host}/${repository}`
    const target = openRepository(url, { plainHttp: true, credentials: async () => undefined })
    onTestFinished(() => target.close())
    return { target, url }
  }
})

function configMap(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { name } }
}
