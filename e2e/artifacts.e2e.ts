import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { context, type KubeObject } from '../src/core/index.ts'
import {
  decryptAge,
  encryptAge,
  openRepository,
  packChart,
  packFiles,
  packObjects,
  parseIdentities,
  pullArtifact,
  pushArtifact,
  type Target,
  unpackTar,
} from '../src/oci/index.ts'
import { ensureAge } from '../testbed/age.ts'
import { peer, type Registry, startRegistry } from '../testbed/index.ts'
import { npmClients } from '../testbed/npm-clients.ts'

const exec = promisify(execFile)
const ctx = context()
/** The first use of a program builds it. */
const buildTimeout = 30 * 60_000
const source = { source: 'https://git.example/shop', revision: 'main@sha1:6b21c1c', created: new Date('2026-02-03') }
const objects: KubeObject[] = [configMap('two'), configMap('one')]
let registry: Registry
let folder: string

beforeAll(async () => {
  registry = await startRegistry()
}, buildTimeout)

afterAll(() => registry.stop())

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lading-artifacts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
})

describe('the flux CLI', () => {
  let flux: string

  beforeAll(async () => {
    flux = (await peer('flux')).path
  }, buildTimeout)

  it.for(['lading', 'flux', 'kustomizer', 'tar'] as const)('pulls objects in the format %s', async (format) => {
    const { target, url } = open(`pulled-${format}`)
    const packed = await packObjects(objects, { ...source, format })
    const { digest } = await pushArtifact(target, packed, 'v1', ctx)
    const { stdout, stderr } = await exec(flux, ['pull', 'artifact', `${url}:v1`, '--output', folder])
    expect(`${stdout}${stderr}`).toContain(digest)
    expect(`${stdout}${stderr}`).toContain(source.source)
    expect(`${stdout}${stderr}`).toContain(source.revision)
    expect(await readdir(folder)).toEqual(['all.yaml'])
    const { yaml } = await pullArtifact(target, 'v1', {}, ctx)
    expect(await readFile(join(folder, 'all.yaml'), 'utf8')).toBe(yaml)
  })

  it('pulls a tree', async () => {
    const { target, url } = open('tree')
    const files = new Map([
      ['kustomization.yaml', { content: Buffer.from('resources:\n- base/one.yaml\n') }],
      ['base/one.yaml', { content: Buffer.from('a: 1\n') }],
      [`base/${'long-'.repeat(60)}name.yaml`.replaceAll('long-long-', 'long-/'), { content: Buffer.from('b: 2\n') }],
      ['base/ünïcode.yaml', { content: Buffer.from('c: 3\n') }],
    ])
    await pushArtifact(target, await packFiles(files, source), 'v1', ctx)
    await exec(flux, ['pull', 'artifact', `${url}:v1`, '--output', folder])
    for (const [name, { content }] of files) expect(await readFile(join(folder, name))).toEqual(content)
  })

  it('pushes what Lading pulls', async () => {
    const { target, url } = open('pushed')
    const tree = join(folder, 'tree')
    await mkdir(join(tree, 'apps'), { recursive: true })
    await writeFile(join(tree, 'apps/one.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\n')
    await writeFile(join(tree, 'two.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: two\n')
    const args = ['--path', tree, '--source', source.source, '--revision', source.revision, '--output', 'json']
    const { stdout } = await exec(flux, ['push', 'artifact', `${url}:v1`, ...args])
    const { digest } = JSON.parse(stdout) as { digest: string }
    const pulled = await pullArtifact(target, 'v1', { expectDigest: digest }, ctx)
    expect(pulled).toMatchObject({
      format: 'flux',
      content: 'objects',
      metadata: { sourceUrl: source.source, sourceRevision: source.revision, encrypted: false },
    })
    expect(pulled.objects.map(({ metadata }) => metadata.name)).toEqual(['one', 'two'])
    expect([...pulled.files.keys()]).toEqual(['apps/one.yaml', 'two.yaml'])

    // It compares the bytes of the archive that it makes of a folder with those that were pushed.
    const copy = join(folder, 'copy')
    await mkdir(join(copy, 'apps'), { recursive: true })
    for (const [name, { content, mode }] of pulled.files) await writeFile(join(copy, name), content, { mode })
    const diff = () => exec(flux, ['diff', 'artifact', `${url}:v1`, '--path', copy])
    expect((await diff()).stderr).toContain('no changes detected')
    await writeFile(join(copy, 'two.yaml'), 'a: 2\n')
    await expect(diff()).rejects.toMatchObject({ code: 1 })
  })

  it('pushes a single file that Lading pulls', async () => {
    const { target, url } = open('pushed-file')
    const file = join(folder, 'one.yaml')
    await writeFile(file, 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\n')
    await exec(flux, ['push', 'artifact', `${url}:v1`, '--path', file, '--source', 's', '--revision', 'r'])
    expect((await pullArtifact(target, 'v1', {}, ctx)).objects).toMatchObject([{ metadata: { name: 'one' } }])
  })
})

describe('helm', () => {
  let helm: string

  beforeAll(async () => {
    helm = (await npmClients())?.helm ?? (await peer('helm3')).path
  }, buildTimeout)

  it('pulls a chart that Lading pushed, and pushes one that Lading pulls', async () => {
    await exec(helm, ['create', 'web'], { cwd: folder })
    await exec(helm, ['package', 'web'], { cwd: folder })
    const archive = await readFile(join(folder, 'web-0.1.0.tgz'))

    await pushArtifact(open('charts/web').target, await packChart(archive), '0.1.0', ctx)
    await mkdir(join(folder, 'pulled'))
    const reference = `oci://${registry.host}/charts/web`
    const args = ['pull', reference, '--version', '0.1.0', '--plain-http', '--destination', 'pulled']
    await exec(helm, args, { cwd: folder })
    expect(await readFile(join(folder, 'pulled/web-0.1.0.tgz'))).toEqual(archive)
    const { stdout } = await exec(helm, ['show', 'chart', reference, '--version', '0.1.0', '--plain-http'])
    expect(stdout).toContain('name: web')

    await exec(helm, ['push', 'web-0.1.0.tgz', `oci://${registry.host}/theirs`, '--plain-http'], { cwd: folder })
    const pulled = await pullArtifact(open('theirs/web').target, '0.1.0', {}, ctx)
    expect(pulled).toMatchObject({ format: 'helm', content: 'chart' })
    expect(Buffer.from(pulled.chart?.archive ?? '')).toEqual(archive)
    expect([...pulled.files.keys()]).toContain('web/templates/deployment.yaml')
    // What both say about the same chart is the same, but for the time.
    const ours = await pullArtifact(open('charts/web').target, '0.1.0', {}, ctx)
    const { 'org.opencontainers.image.created': _, ...theirs } = pulled.annotations
    expect(ours.annotations).toEqual(theirs)
  })
})

describe('oras', () => {
  let oras: string

  beforeAll(async () => {
    oras = (await peer('oras')).path
  }, buildTimeout)

  it('pulls the YAML that Lading pushed', async () => {
    const { target, reference } = open('raw')
    await pushArtifact(target, await packObjects(objects, { format: 'raw' }), 'v1', ctx)
    await exec(oras, ['pull', '--plain-http', `${reference}:v1`, '--output', folder])
    const { yaml } = await pullArtifact(target, 'v1', {}, ctx)
    expect(await readFile(join(folder, 'manifest.yaml'), 'utf8')).toBe(yaml)
  })

  it('pushes a file and a folder that Lading pulls', async () => {
    const { target, reference } = open('theirs-raw')
    await mkdir(join(folder, 'apps'))
    await writeFile(join(folder, 'apps/one.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\n')
    const push = (tag: string, file: string) =>
      exec(oras, ['push', '--plain-http', `${reference}:${tag}`, file], { cwd: folder })
    await push('file', 'apps/one.yaml:application/x-yaml')
    await push('folder', 'apps')
    expect(await pullArtifact(target, 'file', {}, ctx)).toMatchObject({ format: 'raw', content: 'objects' })
    const tree = await pullArtifact(target, 'folder', {}, ctx)
    expect(tree).toMatchObject({ format: 'tar', objects: [{ metadata: { name: 'one' } }] })
    expect([...tree.files.keys()]).toEqual(['apps/one.yaml'])
  })
})

describe('oras with several files', () => {
  it('pushes them all, and Lading pulls them all', async () => {
    const oras = (await peer('oras')).path
    const { target, reference } = open('theirs-several')
    await mkdir(join(folder, 'apps'))
    for (const name of ['one', 'two']) {
      await writeFile(join(folder, `apps/${name}.yaml`), JSON.stringify(configMap(name)))
    }
    await exec(oras, ['push', '--plain-http', `${reference}:v1`, 'apps/one.yaml', 'apps/two.yaml'], { cwd: folder })
    const pulled = await pullArtifact(target, 'v1', {}, ctx)
    expect([...pulled.files.keys()]).toEqual(['apps/one.yaml', 'apps/two.yaml'])
    expect(pulled.objects.map(({ metadata }) => metadata.name)).toEqual(['one', 'two'])
  })
})

describe('age', () => {
  it('decrypts what Lading encrypted, and encrypts what Lading decrypts', async () => {
    const { age, keygen } = await ensureAge()
    const keyFile = join(folder, 'key.txt')
    await exec(keygen, ['--output', keyFile])
    const recipient = (await exec(keygen, ['-y', keyFile])).stdout.trim()
    const identities = parseIdentities(await readFile(keyFile, 'utf8'))

    const { target } = open('encrypted')
    await pushArtifact(target, await packObjects(objects, { format: 'kustomizer', recipients: [recipient] }), 'v1', ctx)
    const { yaml, metadata } = await pullArtifact(target, 'v1', { identities }, ctx)
    expect(metadata.encrypted).toBe(true)
    const packed = await packObjects(objects, { format: 'kustomizer', recipients: [recipient] })
    const files = await unpackTar(packed.blobs[1]?.content ?? new Uint8Array())
    await writeFile(join(folder, 'all.yaml.age'), files.get('all.yaml.age')?.content ?? '')
    const decrypted = await exec(age, ['--decrypt', '--identity', keyFile, join(folder, 'all.yaml.age')])
    expect(decrypted.stdout).toBe(yaml)

    await writeFile(join(folder, 'plain'), yaml)
    for (const armor of [[], ['--armor']]) {
      const encrypted = join(folder, 'theirs.age')
      await exec(age, ['--recipient', recipient, ...armor, '--output', encrypted, join(folder, 'plain')])
      expect(Buffer.from(await decryptAge(await readFile(encrypted), identities)).toString()).toBe(yaml)
    }
    const large = Buffer.alloc(300_000, 'large')
    await writeFile(join(folder, 'large.age'), await encryptAge(large, [recipient]))
    const output = join(folder, 'large')
    await exec(age, ['--decrypt', '--identity', keyFile, '--output', output, join(folder, 'large.age')])
    expect((await readFile(output)).equals(large)).toBe(true)
  })
})

function open(repository: string): { target: Target; reference: string; url: string } {
  const reference = `${registry.host}/${repository}`
  const url = `oci://${reference}`
  const target = openRepository(url, { plainHttp: true, credentials: async () => undefined })
  onTestFinished(() => target.close())
  return { target, reference, url }
}

function configMap(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { name } }
}
