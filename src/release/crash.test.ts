import { hostname } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { context, isLadingError, type KubeObject, LadingError, type LadingEvent } from '../core/index.ts'
import { type Cluster, connect, type Connected, createObject, type KubeRequest, listObjects } from '../kube/index.ts'
import { type Sandbox, startSandbox } from '../sandbox/index.ts'
import type { ReleaseEngine } from './deploy.ts'
import { type Content, install, rollback, upgrade } from './operations.ts'
import { createStore } from './storage/create-store.ts'
import { uninstall } from './uninstall.ts'

const ctx = context()

/** How the process ends around its n-th write: after the server has it, or before it gets there. */
type Cut = 'after the write' | 'before the write'

describe('a crash', () => {
  let sandbox: Sandbox
  let cluster: Connected
  let counter = 0

  beforeAll(async () => {
    sandbox = await startSandbox()
    cluster = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
  })

  afterAll(async () => {
    await cluster.close()
    await sandbox.stop()
  })

  it.each<[string, Cut]>(
    ['install', 'upgrade', 'rollback', 'uninstall'].flatMap((name): [string, Cut][] => [
      [name, 'after the write'],
      [name, 'before the write'],
    ]),
  )(
    'at any write of an %s, %s, is healed by the next command: nothing lost, nothing left over, history intact',
    async (operation, cut) => {
      let points = 0
      for (let n = 1; ; n += 1) {
        counter += 1
        const namespace = `crash-${counter}`
        await createObject(cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, {}, ctx)
        const sound: ReleaseEngine = { cluster, store: createStore({ driver: 'secrets' }, cluster) }
        await prepare(sound, namespace, operation)
        const crashed = await crash(namespace, operation, n, cut)
        if (!crashed) break
        points += 1
        await heal(sound, namespace, operation)
        await verify(namespace, operation)
      }
      // Lock, record, objects, record, lock: an operation that makes fewer writes is not the one meant here.
      expect(points).toBeGreaterThan(5)
    },
    120_000,
  )

  async function prepare(engine: ReleaseEngine, namespace: string, operation: string): Promise<void> {
    if (operation === 'install') return
    await run(install(engine, content(namespace, 'one'), {}, ctx))
    if (operation === 'rollback') await run(upgrade(engine, content(namespace, 'two'), {}, ctx))
  }

  /** Carries the operation out with a connection that dies at the n-th write; says whether it came that far. */
  async function crash(namespace: string, operation: string, n: number, cut: Cut): Promise<boolean> {
    const dying = dyingCluster(cluster, n, cut)
    const engine: ReleaseEngine = {
      cluster: dying.cluster,
      store: createStore({ driver: 'secrets' }, dying.cluster),
      // A process of this machine that does not exist any more, as after a real crash.
      lock: { holder: `${hostname()}/999999999/crashed` },
    }
    try {
      await perform(engine, namespace, operation)
    } catch (error) {
      if (!isLadingError(error)) throw error
    }
    return dying.died()
  }

  async function heal(engine: ReleaseEngine, namespace: string, operation: string): Promise<void> {
    try {
      await perform(engine, namespace, operation)
    } catch (error) {
      // The crash came after everything was done: the command finds nothing left to do.
      if (!isLadingError(error, 'release.exists', 'release.not-found')) throw error
    }
  }

  async function perform(engine: ReleaseEngine, namespace: string, operation: string): Promise<void> {
    const release = { name: 'shop', namespace }
    switch (operation) {
      case 'install':
        await run(install(engine, content(namespace, 'one'), {}, ctx))
        return
      case 'upgrade':
        await run(upgrade(engine, content(namespace, 'two'), {}, ctx))
        return
      case 'rollback':
        await run(rollback(engine, release, 1, {}, ctx))
        return
      default:
        await run(uninstall(engine, release, {}, ctx))
    }
  }

  async function verify(namespace: string, operation: string): Promise<void> {
    const expected = { install: 'one', upgrade: 'two', rollback: 'one', uninstall: 'none' }[operation] ?? ''
    expect(await configMaps(namespace)).toEqual(expected === 'none' ? {} : dataOf(expected))
    expect(await leases(namespace)).toEqual([])
    const store = createStore({ driver: 'secrets' }, cluster)
    const history = await store.history('shop', namespace, ctx)
    const statuses = history.map(({ status }) => status)
    expect(statuses.filter((status) => status.startsWith('pending') || status === 'unknown')).toEqual([])
    expect(statuses.filter((status) => status === 'deployed')).toHaveLength(operation === 'uninstall' ? 0 : 1)
    expect(statuses.at(-1)).toBe(operation === 'uninstall' ? undefined : 'deployed')
  }

  async function configMaps(namespace: string): Promise<Record<string, unknown>> {
    const { items } = await listObjects(
      cluster,
      { gvk: { group: '', version: 'v1', kind: 'ConfigMap' }, namespace },
      ctx,
    )
    const own = items.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt')
    return Object.fromEntries(own.map((object) => [object.metadata.name, object['data']]))
  }

  async function leases(namespace: string): Promise<string[]> {
    const { items } = await listObjects(
      cluster,
      { gvk: { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' }, namespace },
      ctx,
    )
    return items.map(({ metadata }) => metadata.name)
  }
})

/** The objects of both versions: one that changes, one that stays, one that comes or goes. */
function dataOf(version: string): Record<string, unknown> {
  const common = { changing: { value: version }, staying: { value: 'same' } }
  return version === 'one' ? { ...common, leaving: { value: '1' } } : { ...common, coming: { value: '2' } }
}

function content(namespace: string, version: string): Content {
  const objects = Object.entries(dataOf(version)).map(([name, data]): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data,
  }))
  return {
    release: { name: 'shop', namespace },
    objects,
    source: { type: 'manifest', name: 'shop', digest: `sha256:${version}` },
    values: {},
    provenance: { sources: {} },
  }
}

/** A connection that is cut for good at its n-th write. */
function dyingCluster(cluster: Connected, n: number, cut: Cut): { cluster: Cluster; died: () => boolean } {
  let writes = 0
  let dead = false
  const gone = (): LadingError => new LadingError('kube.unreachable', 'the process is gone')
  const { transport } = cluster
  return {
    died: () => dead,
    cluster: {
      discovery: cluster.discovery,
      transport: {
        server: transport.server,
        identity: transport.identity,
        close: () => transport.close(),
        stream: (request, context) => (dead ? Promise.reject(gone()) : transport.stream(request, context)),
        request: async (request, context) => {
          if (dead) throw gone()
          const last = isWrite(request) && ++writes === n
          if (last && cut === 'before the write') dead = true
          if (dead) throw gone()
          const response = await transport.request(request, context)
          if (last) dead = true
          if (dead) throw gone()
          return response
        },
      },
    },
  }
}

function isWrite({ method, query }: KubeRequest): boolean {
  return method !== 'GET' && query?.['dryRun'] === undefined
}

async function run(operation: AsyncGenerator<LadingEvent, unknown>): Promise<void> {
  for await (const _ of operation) {
    // Only the outcome matters here.
  }
}
