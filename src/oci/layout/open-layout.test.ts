import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { context } from '../../core/index.ts'
import { blob, type Content, manifestOf } from '../contract/fixtures.ts'
import { registryContract } from '../contract/index.ts'
import { fetchAll, type Target } from '../target.ts'
import { openLayout } from './open-layout.ts'

registryContract({ describe, it, beforeAll, afterAll }, 'image layout', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lading-layout-'))
  return {
    open: (repository) => openLayout(join(folder, repository)),
    async tamper(repository, { digest }, content) {
      await writeFile(join(folder, repository, 'blobs', digest.replace(':', '/')), content)
    },
    close: () => rm(folder, { recursive: true }),
  }
})

describe('an image layout', () => {
  it('is written as the specification has it', async () => {
    const folder = await temporary()
    const { d } = await pushApp(openLayout(folder), 'v1')
    expect(JSON.parse(await readFile(join(folder, 'oci-layout'), 'utf8'))).toEqual({ imageLayoutVersion: '1.0.0' })
    expect(JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'))).toEqual({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.index.v1+json',
      manifests: [{ ...d, annotations: { 'org.opencontainers.image.ref.name': 'v1' } }],
    })
    // No lock and no half-written file stays.
    expect((await readdir(folder)).sort()).toEqual(['blobs', 'index.json', 'oci-layout'])
    expect((await readdir(join(folder, 'blobs/sha256'))).every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true)
  })

  it('keeps what several writers write at once, whoever opened it', async () => {
    const folder = await temporary()
    const tags = Array.from({ length: 12 }, (_, index) => `t${String(index).padStart(2, '0')}`)
    await Promise.all(tags.map((tag) => pushApp(openLayout(folder), tag)))
    expect(await openLayout(folder).tags(ctx)).toEqual(tags)
  })

  it('takes over the lock of a writer that is gone', async () => {
    const folder = await temporary()
    await pushApp(openLayout(folder), 'v1')
    const lock = join(folder, 'index.json.lock')
    await writeFile(lock, '')
    await utimes(lock, new Date(0), new Date(0))
    await pushApp(openLayout(folder), 'v2')
    expect(await openLayout(folder).tags(ctx)).toEqual(['v1', 'v2'])
  })

  it('keeps what others wrote into its index', async () => {
    const folder = await temporary()
    const { d } = await pushApp(openLayout(folder), 'v1')
    const index = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8')) as { manifests: object[] }
    const foreign = {
      ...d,
      annotations: { 'org.opencontainers.image.ref.name': 'docker.io/library/app:v1', own: 'x' },
      urls: ['x'],
    }
    index.manifests.push(foreign)
    await writeFile(join(folder, 'index.json'), JSON.stringify({ ...index, annotations: { by: 'others' } }))
    await pushApp(openLayout(folder), 'v2')
    const after = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8')) as { manifests: object[] }
    expect(after).toMatchObject({ annotations: { by: 'others' } })
    expect(after.manifests).toContainEqual(foreign)
  })

  it.each([
    ['a version that is not known', 'oci-layout', '{"imageLayoutVersion":"2.0.0"}'],
    ['an index that is no JSON', 'index.json', '{'],
    ['an index without manifests', 'index.json', '{"schemaVersion":2}'],
    ['an index with a path for a digest', 'index.json', badIndex()],
  ])('is refused with %s, and stays as it is', async (_what, file, text) => {
    const folder = await temporary()
    await pushApp(openLayout(folder), 'v1')
    await writeFile(join(folder, file), text)
    const error = await openLayout(folder)
      .resolve('v1', ctx)
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'oci.layout-invalid' })
    await expect(pushApp(openLayout(folder), 'v2')).rejects.toThrow(file)
    expect(await readFile(join(folder, file), 'utf8')).toBe(text)
  })

  it('is neither read nor written through links', async () => {
    const [folder, outside] = [await temporary(), await temporary()]
    await mkdir(join(folder, 'blobs'))
    await symlink(outside, join(folder, 'blobs/sha256'))
    await expect(pushApp(openLayout(folder), 'v1')).rejects.toThrow('is no folder')
    expect(await readdir(outside)).toEqual([])
    const other = await temporary()
    const { d } = await pushApp(openLayout(other), 'v1')
    const path = join(other, 'blobs', d.digest.replace(':', '/'))
    await rename(path, join(outside, 'moved'))
    await symlink(join(outside, 'moved'), path)
    await expect(fetchAll(openLayout(other), d, 10_000, ctx)).rejects.toThrow('is a link')
  })
})

const ctx = context()

async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lading-layout-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function pushApp(target: Target, tag: string): Promise<Content> {
  const config = blob('{}')
  await target.push(config.d, config.bytes, ctx)
  const manifest = manifestOf(config.d, [])
  await target.pushTagged(manifest.d, manifest.bytes, tag, ctx)
  return manifest
}

function badIndex(): string {
  const manifest = { mediaType: 'application/vnd.oci.image.manifest.v1+json', digest: 'sha256:../../x', size: 1 }
  return JSON.stringify({ schemaVersion: 2, manifests: [manifest] })
}
