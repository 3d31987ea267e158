import { describe, expect, it } from 'vitest'
import { context, LadingError } from '../../core/index.ts'
import { sandboxReleases } from '../testdata/sandbox-releases.ts'
import { largeRecord, record } from './contract/fixtures.ts'
import { intercept } from './contract/kube-target.ts'
import { createSecretStore } from './kube/secret-store.ts'

const ctx = context()
const releases = sandboxReleases()

describe('a write whose answer gets lost', () => {
  it('is recognised as its own when it is sent again', async () => {
    const { cluster, release } = await releases.make()
    const sent: string[] = []
    const lossy = intercept(cluster, async (request, send) => {
      const response = await send()
      if (request.method === 'GET') return response
      sent.push(request.method)
      // What the transport does after a lost connection where the request says that it may.
      expect(request.method !== 'POST' || request.repeatable === true).toBe(true)
      return send()
    })
    const store = createSecretStore(lossy)
    const web = record(release, {})
    const created = await store.create(web, ctx)
    const updated = await store.update(created, { ...web, notes: 'second' }, ctx)
    await store.delete(updated, ctx)
    expect(sent).toEqual(['POST', 'PUT', 'DELETE'])
    expect(await store.get(web, ctx)).toBeUndefined()
  })

  it('keeps its parts, because the record may be there', async () => {
    const { cluster, release } = await releases.make()
    const dropping = intercept(cluster, async (request, send) => {
      const response = await send()
      if (request.method === 'PUT') throw new LadingError('kube.unreachable', 'the connection was lost')
      return response
    })
    const web = largeRecord(release, 1_100_000)
    const store = createSecretStore(dropping)
    const created = await store.create(web, ctx)
    const next = largeRecord(release, 1_100_000)
    await expect(store.update(created, next, ctx)).rejects.toMatchObject({ code: 'kube.unreachable' })
    expect((await store.get(web, ctx))?.record).toEqual(next)
  })
})
