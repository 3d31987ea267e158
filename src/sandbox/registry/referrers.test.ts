import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Registry, startRegistry } from './start-registry.ts'
import { imageManifest, refusal, registryClient, type RegistryClient, sha256 } from './testdata/registry-client.ts'

let registry: Registry
let client: RegistryClient
let subject: { mediaType: string; digest: string; size: number }

beforeAll(async () => {
  registry = await startRegistry()
  client = registryClient(registry.url)
  const config = await client.pushBlob('app', '{}')
  const manifest = imageManifest(config, 2)
  const text = JSON.stringify(manifest)
  subject = { mediaType: manifest.mediaType, digest: sha256(text), size: text.length }
})

afterAll(() => registry.stop())

it('lists what was attached, before its subject is there and after', async () => {
  const signature = imageManifest(sha256('{}'), 2, {
    artifactType: 'application/signature',
    subject,
    annotations: { by: 'me' },
  })
  const pushed = await client.pushManifest('app', 'sig', signature)
  expect([pushed.status, pushed.headers.get('oci-subject')]).toEqual([201, subject.digest])
  const untyped = imageManifest(sha256('{}'), 2, { subject })
  await client.pushManifest('app', sha256(JSON.stringify(untyped)), untyped)

  const all = await referrers()
  expect(all.headers.get('content-type')).toBe('application/vnd.oci.image.index.v1+json')
  expect(((await all.json()) as Index).manifests).toEqual([
    {
      mediaType: signature.mediaType,
      digest: sha256(JSON.stringify(signature)),
      size: JSON.stringify(signature).length,
      artifactType: 'application/signature',
      annotations: { by: 'me' },
    },
    // Without a type of its own an artifact is what its config is.
    expect.objectContaining({ artifactType: 'application/vnd.oci.empty.v1+json' }),
  ])

  const some = await referrers('?artifactType=application%2Fsignature')
  expect(some.headers.get('oci-filters-applied')).toBe('artifactType')
  expect(((await some.json()) as Index).manifests).toHaveLength(1)

  await client.send('DELETE', `/v2/app/manifests/${sha256(JSON.stringify(signature))}`)
  expect(((await (await referrers()).json()) as Index).manifests).toHaveLength(1)
})

it('has an empty list for what nothing refers to, and none for what is no digest', async () => {
  const empty = await client.send('GET', `/v2/app/referrers/${sha256('alone')}`)
  expect(await empty.json()).toMatchObject({ schemaVersion: 2, manifests: [] })
  expect(await refusal(await client.send('GET', '/v2/app/referrers/latest'))).toEqual([400, 'DIGEST_INVALID'])
})

interface Index {
  manifests: object[]
}

function referrers(query = ''): Promise<Response> {
  return client.send('GET', `/v2/app/referrers/${subject.digest}${query}`)
}
