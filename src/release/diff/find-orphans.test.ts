import { beforeEach, describe, expect, it } from 'vitest'
import { context, formatRef, type KubeObject, LadingError } from '../../core/index.ts'
import { type Cluster, createObject } from '../../kube/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import { config, deployment, hook } from '../testdata/release-objects.ts'
import { type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'
import { drift } from './drift.ts'

const ctx = context()

describe.each(['secrets', 'helm'] as const)('orphans of a release of the %s store', (driver) => {
  const releases = sandboxReleases()
  let shop: SandboxRelease

  beforeEach(async () => {
    shop = await releases.make({ driver })
    await shop.install([config('a', '1'), deployment('web')], { wait: true })
  })

  it('are found by the marks of the release, also of kinds that it does not have now', async () => {
    await create(config('left', '1'))
    await create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'left' } })
    const { drifted, orphans } = await drift(shop.engine, shop.release, {}, ctx)
    expect(drifted).toBe(true)
    expect(orphans.map(formatRef)).toEqual([
      `ConfigMap ${shop.namespace}/left`,
      `ServiceAccount ${shop.namespace}/left`,
    ])
  })

  it('are not hooks, what controllers made of its objects, what a policy kept, or what belongs to another release', async () => {
    await create(hook('migrate', 'pre-install'))
    await create(config('precious', '1', { 'helm.sh/resource-policy': 'keep' }))
    await create(config('foreign', '1'), { name: 'other', namespace: shop.namespace })
    await createObject(shop.cluster, placed(config('unmarked', '1')), {}, ctx)
    const { drifted, orphans, kept } = await drift(shop.engine, shop.release, {}, ctx)
    expect(orphans).toEqual([])
    expect(kept.map(formatRef)).toEqual([`ConfigMap ${shop.namespace}/precious`])
    expect(drifted).toBe(false)
  })

  it('of kinds that may not be listed are told as unknown, and the others are still found', async () => {
    await create(config('left', '1'))
    const path = `/api/v1/namespaces/${shop.namespace}/services`
    const engine = refusing(shop.engine, path, new LadingError('kube.forbidden', `may not list ${path}`))
    const { orphans, unlisted } = await drift(engine, shop.release, {}, ctx)
    expect(orphans.map(({ name }) => name)).toEqual(['left'])
    expect(unlisted).toEqual([{ group: '', kind: 'Service', namespace: shop.namespace }])
  })

  it('are none of a kind that is not served any more since it was looked up', async () => {
    await create(config('left', '1'))
    const path = `/api/v1/namespaces/${shop.namespace}/services`
    const engine = refusing(shop.engine, path, new LadingError('kube.not-found', 'page not found'))
    const { orphans, unlisted } = await drift(engine, shop.release, {}, ctx)
    expect([orphans.map(({ name }) => name), unlisted]).toEqual([['left'], []])
  })

  it('are looked for by lists of metadata alone, one for each kind', async () => {
    const lists: string[] = []
    await drift(listening(shop.engine, lists), shop.release, {}, ctx)
    expect(new Set(lists).size).toBe(lists.length)
    expect(lists.length).toBeLessThan(20)
  })

  async function create(object: KubeObject, release = shop.release): Promise<void> {
    const { labels, annotations } = shop.engine.store.ownership(release).guard
    const metadata = {
      ...object.metadata,
      ...(labels === undefined ? {} : { labels: { ...object.metadata.labels, ...labels } }),
      annotations: { ...object.metadata.annotations, ...annotations },
    }
    await createObject(shop.cluster, placed({ ...object, metadata }), {}, ctx)
  }

  function placed(object: KubeObject): KubeObject {
    return { ...object, metadata: { ...object.metadata, namespace: shop.namespace } }
  }
})

/** The engine of somebody whose requests to a path are refused. */
function refusing(engine: ReleaseEngine, path: string, refusal: LadingError): ReleaseEngine {
  return intercepted(engine, (request) => {
    if (request.path === path) throw refusal
  })
}

/** The engine that notes metadata lists of the kinds of a namespace. */
function listening(engine: ReleaseEngine, lists: string[]): ReleaseEngine {
  return intercepted(engine, ({ method, path, query, accept }) => {
    const isList = method === 'GET' && /\/namespaces\/[^/]+\/[^/]+$/.test(path) && query?.['limit'] !== undefined
    if (!isList) return
    expect(accept).toContain('PartialObjectMetadataList')
    lists.push(path)
  })
}

function intercepted(
  engine: ReleaseEngine,
  look: (request: Parameters<Cluster['transport']['request']>[0]) => void,
): ReleaseEngine {
  const { transport, discovery } = engine.cluster
  const cluster: Cluster = {
    discovery,
    transport: {
      server: transport.server,
      identity: transport.identity,
      request: async (request, own) => {
        look(request)
        return await transport.request(request, own)
      },
      stream: (request, own) => transport.stream(request, own),
      close: () => transport.close(),
    },
  }
  return { ...engine, cluster }
}
