import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  imageManifest,
  octets,
  refusal,
  registryClient,
  type RegistryClient,
  sha256,
  withDigest,
} from './registry-client.ts'

/** What cases need of a registry. */
export interface RunningRegistry {
  readonly url: string
  stop(): Promise<void>
}

/** The distribution specification as requests and answers; any registry that allows deletion should pass. */
export function registryCases(start: () => Promise<RunningRegistry>): void {
  let registry: RunningRegistry
  let client: RegistryClient

  beforeAll(async () => {
    registry = await start()
    client = registryClient(registry.url)
  })

  afterAll(() => registry.stop())

  it('answers at /v2/', async () => {
    expect((await client.send('GET', '/v2/')).status).toBe(200)
  })

  describe('blobs', () => {
    it('come back as they were pushed', async () => {
      const digest = await client.pushBlob('blobs/whole', 'hello')
      const head = await client.send('HEAD', `/v2/blobs/whole/blobs/${digest}`)
      expect([head.status, head.headers.get('content-length')]).toEqual([200, '5'])
      const answer = await client.send('GET', `/v2/blobs/whole/blobs/${digest}`)
      expect([answer.headers.get('docker-content-digest'), await answer.text()]).toEqual([digest, 'hello'])
    })

    it('may be empty, large, and known by sha512', async () => {
      const empty = await client.pushBlob('blobs/odd', '')
      expect(await (await client.send('GET', `/v2/blobs/odd/blobs/${empty}`)).text()).toBe('')
      const large = Buffer.alloc(5 * 1024 * 1024, 'x')
      const digest = `sha512:${createHash('sha512').update(large).digest('hex')}`
      const location = withDigest(await client.beginUpload('blobs/odd'), digest)
      expect((await client.send('PUT', location, large, octets)).status).toBe(201)
      const answer = await client.send('GET', `/v2/blobs/odd/blobs/${digest}`)
      expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), large)).toBe(0)
    })

    it.each([
      ['bytes=0-4', 206, 'hello', 'bytes 0-4/11'],
      ['bytes=6-', 206, 'world', 'bytes 6-10/11'],
      ['bytes=-5', 206, 'world', 'bytes 6-10/11'],
      ['bytes=6-100', 206, 'world', 'bytes 6-10/11'],
    ])('give the range %s', async (range, status, text, contentRange) => {
      const digest = await client.pushBlob('blobs/range', 'hello world')
      const answer = await client.send('GET', `/v2/blobs/range/blobs/${digest}`, undefined, { range })
      expect([answer.status, await answer.text(), answer.headers.get('content-range')]).toEqual([
        status,
        text,
        contentRange,
      ])
    })

    it('refuse a range past their end', async () => {
      const digest = await client.pushBlob('blobs/range', 'hello world')
      const answer = await client.send('GET', `/v2/blobs/range/blobs/${digest}`, undefined, { range: 'bytes=11-' })
      expect(answer.status).toBe(416)
    })

    it('are unknown in other repositories, until they are mounted there', async () => {
      const digest = await client.pushBlob('mount/from', 'shared')
      expect((await client.send('HEAD', `/v2/mount/to/blobs/${digest}`)).status).toBe(404)
      const mounted = await client.send('POST', `/v2/mount/to/blobs/uploads/?mount=${digest}&from=mount/from`)
      expect([mounted.status, mounted.headers.get('docker-content-digest')]).toEqual([201, digest])
      expect(await (await client.send('GET', `/v2/mount/to/blobs/${digest}`)).text()).toBe('shared')
    })

    it('that cannot be mounted are uploaded', async () => {
      const unknown = sha256('never pushed')
      const answer = await client.send('POST', `/v2/mount/to/blobs/uploads/?mount=${unknown}&from=mount/from`)
      expect(answer.status).toBe(202)
      const location = withDigest(answer.headers.get('location') ?? '', unknown)
      expect((await client.send('PUT', location, 'never pushed', octets)).status).toBe(201)
    })

    it('can be deleted', async () => {
      const digest = await client.pushBlob('blobs/deleted', 'gone soon')
      expect((await client.send('DELETE', `/v2/blobs/deleted/blobs/${digest}`)).status).toBe(202)
      const answer = await client.send('GET', `/v2/blobs/deleted/blobs/${digest}`)
      expect(await refusal(answer)).toEqual([404, 'BLOB_UNKNOWN'])
    })

    it('with another digest than they have are refused', async () => {
      const location = withDigest(await client.beginUpload('blobs/wrong'), sha256('other'))
      expect(await refusal(await client.send('PUT', location, 'content', octets))).toEqual([400, 'DIGEST_INVALID'])
      expect((await client.send('HEAD', `/v2/blobs/wrong/blobs/${sha256('content')}`)).status).toBe(404)
    })
  })

  describe('uploads in chunks', () => {
    const patch = (location: string, text: string, start?: number): Promise<Response> =>
      client.send('PATCH', location, text, {
        ...octets,
        ...(start === undefined ? {} : { 'content-range': `${start}-${start + text.length - 1}` }),
      })

    it('put the content together', async () => {
      let location = await client.beginUpload('chunks/ok')
      for (const [text, start, range] of [
        ['hello ', 0, '0-5'],
        ['wor', 6, '0-8'],
      ] as const) {
        const answer = await patch(location, text, start)
        expect([answer.status, answer.headers.get('range')]).toEqual([202, range])
        location = answer.headers.get('location') ?? ''
      }
      const status = await client.send('GET', location)
      expect([status.status, status.headers.get('range')]).toEqual([204, '0-8'])
      const digest = sha256('hello world')
      expect((await client.send('PUT', withDigest(location, digest), 'ld', octets)).status).toBe(201)
      expect(await (await client.send('GET', `/v2/chunks/ok/blobs/${digest}`)).text()).toBe('hello world')
    })

    it('refuse a chunk out of order, and go on with the right one', async () => {
      const begun = await client.beginUpload('chunks/order')
      const first = await patch(begun, 'hello', 0)
      const location = first.headers.get('location') ?? ''
      expect((await patch(location, 'late', 7)).status).toBe(416)
      const second = await patch(location, ' world', 5)
      expect(second.status).toBe(202)
      const last = withDigest(second.headers.get('location') ?? '', sha256('hello world'))
      expect((await client.send('PUT', last)).status).toBe(201)
    })

    it('stop when they are cancelled', async () => {
      const location = await client.beginUpload('chunks/cancelled')
      expect((await client.send('DELETE', location)).status).toBe(204)
      expect(await refusal(await client.send('GET', location))).toEqual([404, 'BLOB_UPLOAD_UNKNOWN'])
    })
  })

  describe('manifests', () => {
    it('come back byte by byte with their media type, by tag and by digest', async () => {
      const config = await client.pushBlob('manifests/ok', '{}')
      const manifest = imageManifest(config, 2, { annotations: { ü: '1' } })
      const text = JSON.stringify(manifest)
      const pushed = await client.pushManifest('manifests/ok', 'v1', manifest)
      expect([pushed.status, pushed.headers.get('docker-content-digest')]).toEqual([201, sha256(text)])
      for (const reference of ['v1', sha256(text)]) {
        const headers = { accept: manifest.mediaType }
        const answer = await client.send('GET', `/v2/manifests/ok/manifests/${reference}`, undefined, headers)
        expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
          200,
          manifest.mediaType,
          text,
        ])
        const head = await client.send('HEAD', `/v2/manifests/ok/manifests/${reference}`, undefined, headers)
        expect([head.status, head.headers.get('docker-content-digest')]).toEqual([200, sha256(text)])
        expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
      }
    })

    it('are refused when what they refer to is missing', async () => {
      const answer = await client.pushManifest('manifests/missing', 'v1', imageManifest(sha256('nowhere'), 7))
      expect((await refusal(answer))[1]).toBe('MANIFEST_BLOB_UNKNOWN')
    })

    it.each([
      ['no JSON', 'no json'],
      [
        'of another media type than they say',
        '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[]}',
      ],
    ])('are refused when they are %s', async (_what, text) => {
      const headers = { 'content-type': 'application/vnd.oci.image.manifest.v1+json' }
      const answer = await client.send('PUT', '/v2/manifests/bad/manifests/v1', text, headers)
      expect(await refusal(answer)).toEqual([400, 'MANIFEST_INVALID'])
    })

    it('are refused under a digest that is not theirs', async () => {
      const config = await client.pushBlob('manifests/wrong', '{}')
      const answer = await client.pushManifest('manifests/wrong', sha256('other'), imageManifest(config, 2))
      expect(await refusal(answer)).toEqual([400, 'DIGEST_INVALID'])
    })

    it('stay reachable by digest when their tag moves or goes', async () => {
      const config = await client.pushBlob('manifests/moved', '{}')
      const [one, two] = ['1', '2'].map((version) => imageManifest(config, 2, { annotations: { version } }))
      if (one === undefined || two === undefined) throw new Error('two manifests')
      await client.pushManifest('manifests/moved', 'latest', one)
      await client.pushManifest('manifests/moved', 'latest', two)
      const current = await client.send('GET', '/v2/manifests/moved/manifests/latest', undefined, {
        accept: two.mediaType,
      })
      expect(await current.json()).toEqual(two)
      const accept = { accept: one.mediaType }
      const older = `/v2/manifests/moved/manifests/${sha256(JSON.stringify(one))}`
      expect((await client.send('GET', older, undefined, accept)).status).toBe(200)
      expect((await client.send('DELETE', '/v2/manifests/moved/manifests/latest')).status).toBe(202)
      const untagged = `/v2/manifests/moved/manifests/${sha256(JSON.stringify(two))}`
      expect((await client.send('GET', untagged, undefined, accept)).status).toBe(200)
      const gone = await client.send('GET', '/v2/manifests/moved/manifests/latest', undefined, accept)
      expect(await refusal(gone)).toEqual([404, 'MANIFEST_UNKNOWN'])
    })

    it('go with all of their tags when they are deleted by digest', async () => {
      const config = await client.pushBlob('manifests/deleted', '{}')
      const manifest = imageManifest(config, 2)
      for (const tag of ['a', 'b']) await client.pushManifest('manifests/deleted', tag, manifest)
      const digest = sha256(JSON.stringify(manifest))
      expect((await client.send('DELETE', `/v2/manifests/deleted/manifests/${digest}`)).status).toBe(202)
      for (const reference of ['a', digest]) {
        const path = `/v2/manifests/deleted/manifests/${reference}`
        expect((await client.send('GET', path, undefined, { accept: manifest.mediaType })).status).toBe(404)
      }
    })

    it('in an index are reachable by digest', async () => {
      const config = await client.pushBlob('manifests/index', '{}')
      const child = imageManifest(config, 2)
      const text = JSON.stringify(child)
      await client.pushManifest('manifests/index', sha256(text), child)
      const manifests = [{ mediaType: child.mediaType, digest: sha256(text), size: text.length }]
      const mediaType = 'application/vnd.oci.image.index.v1+json'
      const index = await client.pushManifest('manifests/index', 'v1', { schemaVersion: 2, mediaType, manifests })
      expect(index.status).toBe(201)
      const answer = await client.send('GET', `/v2/manifests/index/manifests/${sha256(text)}`, undefined, {
        accept: child.mediaType,
      })
      expect(await answer.text()).toBe(text)
    })
  })

  describe('lists', () => {
    it('of tags are sorted and come in pages', async () => {
      const config = await client.pushBlob('lists/tags', '{}')
      for (const tag of ['v2', 'v1', 'latest']) await client.pushManifest('lists/tags', tag, imageManifest(config, 2))
      const whole = await client.send('GET', '/v2/lists/tags/tags/list')
      expect(await whole.json()).toEqual({ name: 'lists/tags', tags: ['latest', 'v1', 'v2'] })
      const page = await client.send('GET', '/v2/lists/tags/tags/list?n=2')
      expect(await page.json()).toEqual({ name: 'lists/tags', tags: ['latest', 'v1'] })
      const [, next = ''] = /^<([^>]*)>; rel="next"$/.exec(page.headers.get('link') ?? '') ?? []
      const rest = await client.send('GET', next)
      expect([await rest.json(), rest.headers.get('link')]).toEqual([{ name: 'lists/tags', tags: ['v2'] }, null])
    })

    it('of tags of an unknown repository are refused', async () => {
      expect(await refusal(await client.send('GET', '/v2/never/pushed/tags/list'))).toEqual([404, 'NAME_UNKNOWN'])
    })

    it('of repositories hold what was pushed', async () => {
      const config = await client.pushBlob('lists/catalog', '{}')
      await client.pushManifest('lists/catalog', 'v1', imageManifest(config, 2))
      const { repositories } = (await (await client.send('GET', '/v2/_catalog')).json()) as { repositories: string[] }
      expect(repositories).toContain('lists/catalog')
    })
  })

  it('makes no repository of what is only asked for or deleted', async () => {
    const digest = sha256('nothing')
    const paths = [`manifests/v1`, `manifests/${digest}`, `blobs/${digest}`]
    for (const path of paths) {
      expect((await client.send('GET', `/v2/nothing/here/${path}`)).status).toBe(404)
      expect((await client.send('DELETE', `/v2/nothing/here/${path}`)).status).toBe(404)
    }
    const { repositories } = (await (await client.send('GET', '/v2/_catalog')).json()) as { repositories: string[] }
    expect(repositories).not.toContain('nothing/here')
  })

  it('refuses what is no digest', async () => {
    expect(await refusal(await client.send('GET', '/v2/a/blobs/sha256:short'))).toEqual([400, 'DIGEST_INVALID'])
  })
}
