import { mkdtemp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { startRegistry } from '../start-registry.ts'
import { imageManifest, registryClient, type RegistryClient, sha256 } from '../testdata/registry-client.ts'

let layout: string

beforeEach(async () => {
  layout = await mkdtemp(join(tmpdir(), 'lading-layout-'))
  onTestFinished(() => rm(layout, { recursive: true }))
})

it('writes image layouts that other tools read', async () => {
  const client = await open()
  const config = await client.pushBlob('team/app', '{}')
  const manifest = imageManifest(config, 2)
  await client.pushManifest('team/app', 'v1', manifest)
  await client.pushManifest('team/app', 'latest', manifest)
  const folder = join(layout, 'team/app')
  expect(await json(join(folder, 'oci-layout'))).toEqual({ imageLayoutVersion: '1.0.0' })
  const digest = sha256(JSON.stringify(manifest))
  const entry = (tag: string): object => ({
    mediaType: manifest.mediaType,
    digest,
    size: JSON.stringify(manifest).length,
    annotations: { 'org.opencontainers.image.ref.name': tag },
  })
  expect(await json(join(folder, 'index.json'))).toMatchObject({
    schemaVersion: 2,
    manifests: [entry('v1'), entry('latest')],
  })
  const blobs = await readdir(join(folder, 'blobs/sha256'))
  expect(blobs.sort()).toEqual([config, digest].map((text) => text.slice('sha256:'.length)).sort())
})

it('keeps everything across restarts, and nothing of what was never finished', async () => {
  const first = await startRegistry({ storage: { layout } })
  const client = registryClient(first.url)
  const config = await client.pushBlob('app', '{}')
  await client.pushManifest('app', 'v1', imageManifest(config, 2))
  await client.beginUpload('app')
  // As a crash would leave it: the upload's file stays behind.
  await mkdir(join(layout, '.uploads'), { recursive: true })
  await writeFile(join(layout, '.uploads/left-over'), 'half of a blob')
  await first.stop()

  const again = await open()
  expect(await readdir(layout)).toEqual(['app'])
  expect((await again.send('GET', '/v2/app/manifests/v1')).status).toBe(200)
  expect(await (await again.send('GET', '/v2/_catalog')).json()).toEqual({ repositories: ['app'] })
})

it('takes changes at the same time without losing any', async () => {
  const client = await open()
  const config = await client.pushBlob('app', '{}')
  const tags = Array.from({ length: 20 }, (_, index) => `v${index}`).sort()
  await Promise.all(
    tags.map((tag) => client.pushManifest('app', tag, imageManifest(config, 2, { annotations: { tag } }))),
  )
  expect(await (await client.send('GET', '/v2/app/tags/list')).json()).toEqual({ name: 'app', tags })
})

it('keeps repositories apart that are named like parts of a layout', async () => {
  const client = await open()
  const names = ['app', 'app/blobs', 'app/blobs/sha256', 'app/index.json', 'app/oci-layout']
  for (const name of names) {
    const config = await client.pushBlob(name, `{"name":"${name}"}`)
    const pushed = await client.pushManifest(name, 'v1', imageManifest(config, 2))
    expect(pushed.status).toBe(201)
  }
  const { repositories } = (await (await client.send('GET', '/v2/_catalog')).json()) as { repositories: string[] }
  expect(repositories).toEqual(names)
})

it('never leaves its folder, whatever it is asked to mount from', async () => {
  const client = await open()
  const secret = 'outside'
  const outside = `${layout}-outside`
  await mkdir(join(outside, 'blobs/sha256'), { recursive: true })
  onTestFinished(() => rm(outside, { recursive: true }))
  await writeFile(join(outside, 'blobs/sha256', sha256(secret).slice('sha256:'.length)), secret)
  const from = encodeURIComponent(`../${outside.split('/').at(-1)}`)
  const answer = await client.send('POST', `/v2/app/blobs/uploads/?mount=${sha256(secret)}&from=${from}`)
  expect(answer.status).toBe(202)
})

it('serves a layout that another tool wrote: the manifests of an index are not listed by themselves', async () => {
  const client = await open()
  const config = await client.pushBlob('app', '{}')
  const child = imageManifest(config, 2)
  const text = JSON.stringify(child)
  await client.pushManifest('app', sha256(text), child)
  const mediaType = 'application/vnd.oci.image.index.v1+json'
  const manifests = [{ mediaType: child.mediaType, digest: sha256(text), size: text.length }]
  await client.pushManifest('app', 'v1', { schemaVersion: 2, mediaType, manifests })
  const file = join(layout, 'app/index.json')
  const index = (await json(file)) as { manifests: { digest: string }[] }
  const listed = index.manifests.filter(({ digest }) => digest !== sha256(text))
  await writeFile(file, JSON.stringify({ ...index, manifests: listed }))
  const answer = await client.send('GET', `/v2/app/manifests/${sha256(text)}`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, child.mediaType])
})

async function open(): Promise<RegistryClient> {
  const registry = await startRegistry({ storage: { layout } })
  onTestFinished(() => registry.stop())
  return registryClient(registry.url)
}

async function json(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'))
}
