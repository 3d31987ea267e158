import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { context, type KubeObject, manualClock } from '../../../core/index.ts'
import {
  connect,
  type Connected,
  createObject,
  deleteObject,
  getObject,
  listObjects,
  patchObject,
} from '../../../kube/index.ts'
import { type Sandbox, startSandbox } from '../../../sandbox/index.ts'
import type { ReleaseName } from '../../release-name.ts'
import type { ReleaseRecord } from '../../record/record.ts'
import { encodeRecord } from '../codec.ts'
import { createConfigMapStore } from './configmap-store.ts'
import { largeRecord, record } from '../contract/fixtures.ts'
import { intercept } from '../contract/kube-target.ts'
import { createStore } from '../create-store.ts'
import { createSecretStore } from './secret-store.ts'

const ctx = context()
const secrets = { group: '', version: 'v1', kind: 'Secret' }
const configMaps = { group: '', version: 'v1', kind: 'ConfigMap' }
let sandbox: Sandbox
let cluster: Connected

beforeAll(async () => {
  sandbox = await startSandbox()
  cluster = await connect({ kubeconfig: sandbox.kubeconfig, context: 'admin' }, ctx)
  for (const name of ['shop', 'other', 'ops']) {
    await createObject(cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, {}, ctx)
  }
})

afterAll(async () => {
  await cluster.close()
  await sandbox.stop()
})

describe('records in Secrets and ConfigMaps', () => {
  it('are Secrets with the names, labels, type and text of the stored format', async () => {
    const web = make()
    await createSecretStore(cluster).create(web, ctx)
    const secret = await read(secrets, 'shop', `sh.sherpack.release.v1.${web.name}.v1`)
    expect(secret).toMatchObject({
      type: 'sherpack.io/release.v1',
      metadata: {
        labels: {
          'app.kubernetes.io/managed-by': 'sherpack',
          'sherpack.io/release-name': web.name,
          'sherpack.io/release-version': '1',
          'sherpack.io/release-namespace': 'shop',
          'sherpack.io/storage-driver': 'secrets',
          'sherpack.io/compression': 'zstd',
          'sherpack.io/release-status': 'deployed',
        },
      },
    })
    const text = Buffer.from(dataOf(secret)['release'] ?? '', 'base64').toString('utf8')
    expect(text).toBe(encodeRecord(web, 'zstd'))
  })

  it('are ConfigMaps with the same text in plain', async () => {
    const web = make()
    await createConfigMapStore(cluster, { compression: 'gzip' }).create(web, ctx)
    const configMap = await read(configMaps, 'shop', `sh.sherpack.release.v1.${web.name}.v1`)
    expect(configMap?.metadata.labels).toMatchObject({
      'sherpack.io/storage-driver': 'configmap',
      'sherpack.io/compression': 'gzip',
    })
    expect(dataOf(configMap)['release']).toBe(encodeRecord(web, 'gzip'))
  })

  it('are split as the stored format does, with labels that fit whatever the name', async () => {
    const name = `${unique()}${'.a-long'.repeat(10)}`.slice(0, 53)
    const web = { ...largeRecord(place(), 1_500_000), name }
    await createSecretStore(cluster).create(web, ctx)
    const key = `sh.sherpack.release.v1.${name}.v1`
    const index = await read(secrets, 'shop', key)
    expect(index?.['type']).toBe('sherpack.io/release.v1')
    expect(index?.metadata.labels?.['sherpack.io/chunked']).toBe('true')
    expect(Object.keys(dataOf(index))).toEqual(['index'])
    const text = encodeRecord(web, 'zstd')
    expect(JSON.parse(plain(index, 'index'))).toEqual({
      format: 'chunked',
      total_size: text.length,
      chunk_count: 3,
      chunk_size: 700_000,
      checksum: `sha256:${createHash('sha256').update(text).digest('hex')}`,
      compression: 'zstd',
    })
    for (const at of [0, 1, 2]) {
      const chunk = await read(secrets, 'shop', `${key}.chunk.${at}`)
      expect(chunk?.['type']).toBe('sherpack.io/release-chunk.v1')
      const labels = chunk?.metadata.labels ?? {}
      expect(labels).toMatchObject({ 'sherpack.io/chunked': 'true', 'sherpack.io/chunk-index': String(at) })
      expect(labels['sherpack.io/chunk-parent']?.length).toBeLessThanOrEqual(63)
      expect(plain(chunk, 'index')).toBe(String(at))
      expect(plain(chunk, 'chunk')).toBe(text.slice(at * 700_000, (at + 1) * 700_000))
    }
  })

  it('keep a large manifest apart where that is wanted, and fail where that is', async () => {
    const web = large(1_500_000)
    await createSecretStore(cluster, { largeReleaseStrategy: 'separate-manifests' }).create(web, ctx)
    const main = await read(secrets, 'shop', `sh.sherpack.release.v1.${web.name}.v1`)
    expect(Object.keys(dataOf(main)).toSorted()).toEqual(['index', 'release'])
    // Whatever the strategy, every store reads it.
    const stored = await createSecretStore(cluster).get(web, ctx)
    expect(stored?.record).toEqual(web)
    const other = large(1_500_000)
    const failing = createSecretStore(cluster, { largeReleaseStrategy: 'fail' })
    await expect(failing.create(other, ctx)).rejects.toMatchObject({ code: 'release.too-large' })
    const values = { noise: randomBytes(1_200_000).toString('base64') }
    const apart = createSecretStore(cluster, { largeReleaseStrategy: 'separate-manifests' })
    await expect(apart.create(make({ values }), ctx)).rejects.toMatchObject({ code: 'release.too-large' })
  })

  it('of Sherpack, without our labels, are listed by reading them, and told as unknown where that fails', async () => {
    const store = createSecretStore(cluster)
    const name = unique()
    for (const [version, text] of [
      [1, encodeRecord(make({ name, state: { status: 'superseded' } }), 'gzip')],
      [2, 'rubbish'],
    ] as const) {
      const labels = { 'app.kubernetes.io/managed-by': 'sherpack', 'sherpack.io/release-name': name }
      const metadata = { name: `sh.sherpack.release.v1.${name}.v${version}`, namespace: 'shop', labels }
      const data = { release: Buffer.from(text).toString('base64') }
      const type = 'sherpack.io/release.v1'
      await createObject(cluster, { apiVersion: 'v1', kind: 'Secret', metadata, type, data }, {}, ctx)
    }
    expect(await store.history(name, 'shop', ctx)).toMatchObject([
      { version: 1, status: 'superseded', namespace: 'shop' },
      { version: 2, status: 'unknown', namespace: 'shop' },
    ])
  })

  it('of all namespaces stand in one where that is wanted, and none is taken for another', async () => {
    const store = createStore({ driver: 'secrets', storageNamespace: 'ops' }, cluster)
    const web = make()
    const twin = { ...web, namespace: 'other', notes: 'the twin' }
    await store.create(web, ctx)
    await store.create(twin, ctx)
    expect((await store.get(web, ctx))?.record).toEqual(web)
    expect((await store.get(twin, ctx))?.record).toEqual(twin)
    expect(await store.history(web.name, 'other', ctx)).toMatchObject([{ name: web.name, namespace: 'other' }])
    expect(await store.list('shop', ctx)).toMatchObject([{ name: web.name, namespace: 'shop' }])
    expect(await store.list(undefined, ctx)).toHaveLength(2)
    expect(await createSecretStore(cluster).get(web, ctx)).toBeUndefined()
    const own = { ...web, namespace: 'ops' }
    await store.create(own, ctx)
    expect(await read(secrets, 'ops', `sh.sherpack.release.v1.${web.name}.v1`)).toBeDefined()
  })
})

describe('a large record', () => {
  it.each([
    ['a part is missing', (key: string) => remove(`${key}.chunk.1`), 'missing'],
    ['a part is another one', (key: string) => patch(`${key}.chunk.1`, 'index', '0'), 'another part'],
    ['a part was shortened', (key: string) => patch(`${key}.chunk.1`, 'chunk', 'AAAA'), 'bytes instead of'],
    ['a part was changed', (key: string) => flip(`${key}.chunk.0`), 'checksum'],
    ['the index is no JSON', (key: string) => patch(key, 'index', 'rubbish'), 'not JSON'],
    ['the index names nothing', (key: string) => patch(key, 'index', '{"format":"chunked"}'), 'incomplete'],
  ])('is reported when %s', async (_, spoil, reason) => {
    const store = createSecretStore(cluster)
    const web = large(1_100_000)
    await store.create(web, ctx)
    await spoil(`sh.sherpack.release.v1.${web.name}.v1`)
    const message = expect.stringContaining(reason) as string
    await expect(store.get(web, ctx)).rejects.toMatchObject({ code: 'release.unreadable', message })
  })

  it('is seen whole by a reader whose parts are replaced under its hands', async () => {
    const store = createSecretStore(cluster)
    const old = large(1_100_000)
    const created = await store.create(old, ctx)
    const next = { ...large(1_100_000), name: old.name }
    let updated = false
    const slow = intercept(cluster, async (request, send) => {
      if (!updated && request.path.includes('.chunk.')) {
        updated = true
        await store.update(created, next, ctx)
      }
      return send()
    })
    expect((await createSecretStore(slow).get(old, ctx))?.record).toEqual(next)
    expect(updated).toBe(true)
  })

  it('leaves no parts behind when another writer wins', async () => {
    const store = createSecretStore(cluster)
    const web = make()
    const created = await store.create(web, ctx)
    await store.update(created, { ...web, notes: 'the winner' }, ctx)
    const late = { ...large(1_100_000), name: web.name }
    await expect(store.update(created, late, ctx)).rejects.toMatchObject({ code: 'release.changed' })
    await expect(store.create(late, ctx)).rejects.toMatchObject({ code: 'release.exists' })
    expect(await partsOf(web.name)).toEqual([])
  })

  it('whose write crashed is cleaned up by a later revision, once nobody can be working on it', async () => {
    const web = large(1_100_000)
    const crashing = intercept(cluster, async (request, send) => {
      if (request.method === 'POST' && !JSON.stringify(request.body).includes('release-chunk')) {
        throw new Error('the process has ended')
      }
      return send()
    })
    await expect(createSecretStore(crashing).create(web, ctx)).rejects.toThrow('the process has ended')
    const store = createSecretStore(cluster)
    await store.create(make({ name: web.name, version: 2 }), ctx)
    expect(await partsOf(web.name)).toHaveLength(2)
    const later = context({ clock: manualClock(Date.now() + 2 * 60 * 60_000) })
    await store.create(make({ name: web.name, version: 3 }), later)
    expect(await partsOf(web.name)).toEqual([])
  })
})

function unique(): string {
  return `web-${randomBytes(4).toString('hex')}`
}

function place(): ReleaseName {
  return { name: unique(), namespace: 'shop' }
}

function make(fields: Partial<ReleaseRecord> = {}): ReleaseRecord {
  return record(place(), fields)
}

function large(bytes: number): ReleaseRecord {
  return largeRecord(place(), bytes)
}

function read(gvk: typeof secrets, namespace: string, name: string): Promise<KubeObject | undefined> {
  return getObject(cluster, { ...gvk, namespace, name }, ctx)
}

function dataOf(object: KubeObject | undefined): Record<string, string> {
  return (object?.['data'] ?? {}) as Record<string, string>
}

function plain(object: KubeObject | undefined, key: string): string {
  return Buffer.from(dataOf(object)[key] ?? '', 'base64').toString('utf8')
}

async function partsOf(name: string): Promise<string[]> {
  const labelSelector = `sherpack.io/release-name=${name},sherpack.io/chunk-parent`
  const query = { gvk: secrets, namespace: 'shop', labelSelector, metadataOnly: true }
  return (await listObjects(cluster, query, ctx)).items.map(({ metadata }) => metadata.name)
}

async function remove(name: string): Promise<void> {
  await deleteObject(cluster, { ...secrets, namespace: 'shop', name }, { wait: false }, ctx)
}

async function patch(name: string, key: string, text: string): Promise<void> {
  const data = { [key]: Buffer.from(text).toString('base64') }
  await patchObject(cluster, { ...secrets, namespace: 'shop', name }, { data }, { type: 'merge' }, ctx)
}

async function flip(name: string): Promise<void> {
  const text = plain(await read(secrets, 'shop', name), 'chunk')
  await patch(name, 'chunk', `${text.slice(0, 99)}${text[99] === 'A' ? 'B' : 'A'}${text.slice(100)}`)
}
