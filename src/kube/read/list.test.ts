import { afterEach, describe, expect, it } from 'vitest'
import { context, type KubeObject } from '../../core/index.ts'
import { getMetadata, getObject } from './get.ts'
import { listObjects, listPages } from './list.ts'
import {
  configMap,
  json,
  list,
  type Script,
  type ScriptedServer,
  startScriptedServer,
  status,
} from '../testing/scripted-server.ts'

const gvk = { group: '', version: 'v1', kind: 'ConfigMap' }
const ctx = context()

let server: ScriptedServer
afterEach(() => server.close())

describe('a list', () => {
  it('is read in pages of 500 and put together', async () => {
    await serve(page(['a', 'b'], 'token-1'), page(['c'], 'token-2'), page(['d']))
    const { items, resourceVersion } = await listObjects(server.cluster, { gvk, resourceVersion: '0' }, ctx)
    expect(names(items)).toEqual(['a', 'b', 'c', 'd'])
    expect(resourceVersion).toBe('7')
    expect(asked('limit')).toEqual(['500', '500', '500'])
    expect(asked('continue')).toEqual([null, 'token-1', 'token-2'])
    // API servers refuse a version beside a token.
    expect(asked('resourceVersion')).toEqual(['0', null, null])
  })

  it('starts again when it expires half-way, without items of the first attempt', async () => {
    await serve(page(['old'], 'token-1'), status(410), page(['a'], 'token-2'), page(['b']))
    expect(names((await listObjects(server.cluster, { gvk }, ctx)).items)).toEqual(['a', 'b'])
    expect(asked('continue')).toEqual([null, 'token-1', null, 'token-2'])
  })

  it('is asked for in one piece when it keeps expiring', async () => {
    const expiring = [page(['x'], 'token'), status(410)]
    await serve(...expiring, ...expiring, page(['a', 'b']))
    expect(names((await listObjects(server.cluster, { gvk }, ctx)).items)).toEqual(['a', 'b'])
    expect(asked('limit').at(-1)).toBeNull()
  })

  it('fails when an exact version is gone', async () => {
    await serve(status(410))
    const query = { gvk, resourceVersion: '3', resourceVersionMatch: 'Exact' } as const
    await expect(listObjects(server.cluster, query, ctx)).rejects.toMatchObject({ code: 'kube.expired' })
    expect(server.requests).toHaveLength(1)
  })

  it('tells pages one by one with what remains, and that it expired', async () => {
    await serve(page(['a'], 'token', 1), status(410))
    const pages = listPages(server.cluster, { gvk, pageSize: 1 }, ctx)
    expect((await pages.next()).value).toMatchObject({ remaining: 1, resourceVersion: '7' })
    await expect(pages.next()).rejects.toMatchObject({ code: 'kube.expired' })
  })

  it('asks for fewer objects at a time when an answer is too large', async () => {
    await serve(tooLarge, tooLarge, page(['a'], 'token'), page(['b']))
    expect(names((await listObjects(server.cluster, { gvk }, ctx)).items)).toEqual(['a', 'b'])
    expect(asked('limit')).toEqual(['500', '62', '7', '7'])
  })

  it('fails when not even one object fits', async () => {
    await serve(tooLarge, tooLarge)
    const listing = listObjects(server.cluster, { gvk, pageSize: 2 }, ctx)
    await expect(listing).rejects.toMatchObject({ code: 'kube.response-too-large' })
    expect(asked('limit')).toEqual(['2', '1'])
  })

  it('may hold null instead of no items', async () => {
    await serve(json(200, { kind: 'ConfigMapList', metadata: { resourceVersion: '7' }, items: null }))
    expect(await listObjects(server.cluster, { gvk }, ctx)).toEqual({ items: [], resourceVersion: '7' })
  })

  it('says that the kind is gone when its path is, and has discovery read again', async () => {
    await serve(notFoundPage)
    await expect(listObjects(server.cluster, { gvk }, ctx)).rejects.toMatchObject({ code: 'kube.unknown-kind' })
    expect(server.invalidations()).toBe(1)
  })

  it('is an error when the server answers with something else', async () => {
    await serve(json(200, { kind: 'Surprise' }))
    await expect(listObjects(server.cluster, { gvk }, ctx)).rejects.toMatchObject({ code: 'kube.server-error' })
  })

  it('ends when it is aborted between two pages', async () => {
    const stop = new AbortController()
    await serve(page(['a'], 'token'), list('7'))
    const pages = listPages(server.cluster, { gvk }, context({ signal: stop.signal }))
    await pages.next()
    stop.abort()
    await expect(pages.next()).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe('a get', () => {
  const ref = { ...gvk, namespace: 'ns', name: 'a' }

  it('gives nothing when the object is not there', async () => {
    await serve(status(404, { reason: 'NotFound', details: { name: 'a', kind: 'configmaps' } }))
    expect(await getObject(server.cluster, ref, ctx)).toBeUndefined()
    expect(server.invalidations()).toBe(0)
  })

  it('does not take a path that is gone for an object that is', async () => {
    await serve(notFoundPage)
    await expect(getObject(server.cluster, ref, ctx)).rejects.toMatchObject({ code: 'kube.unknown-kind' })
    expect(server.invalidations()).toBe(1)
  })

  it('names metadata by the kind of its object', async () => {
    await serve(json(200, { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' } }))
    expect(await getMetadata(server.cluster, ref, ctx)).toEqual({ ...configMapHead, metadata: { name: 'a' } })
    expect(server.requests[0]?.accept).toContain('as=PartialObjectMetadata;')
  })

  it('is an error when the server answers with no object', async () => {
    await serve(json(200, [1, 2]))
    await expect(getObject(server.cluster, ref, ctx)).rejects.toMatchObject({ code: 'kube.server-error' })
  })
})

const configMapHead = { apiVersion: 'v1', kind: 'ConfigMap' }

const tooLarge: Script = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 ** 40 }).flushHeaders()
}

const notFoundPage: Script = (response) => {
  response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n')
}

/** Answers requests with the scripts in turn. */
async function serve(...scripts: readonly Script[]): Promise<void> {
  const turns = scripts.values()
  server = await startScriptedServer((response, request) => {
    const { value, done } = turns.next()
    if (done === true) throw new Error('one request too many')
    value(response, request)
  })
}

function page(items: readonly string[], token = '', remainingItemCount?: number): Script {
  const metadata = { resourceVersion: '7', continue: token, remainingItemCount }
  return json(200, {
    kind: 'ConfigMapList',
    apiVersion: 'v1',
    metadata,
    items: items.map((name) => configMap(name, '1')),
  })
}

function names(items: readonly KubeObject[]): string[] {
  return items.map((item) => item.metadata.name)
}

function asked(parameter: string): (string | null)[] {
  return server.requests.map((request) => request.query.get(parameter))
}
