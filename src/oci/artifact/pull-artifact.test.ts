import { createHash } from 'node:crypto'
import { generateX25519Identity } from 'age-encryption'
import { describe, expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import { gzip } from '../archive/compress.ts'
import { packTar } from '../archive/pack-tar.ts'
import { memoryTarget } from '../memory-target.ts'
import type { Target } from '../target.ts'
import { assemble, type ArtifactParts, blob, emptyConfig } from './packed-artifact.ts'
import { type PullArtifactOptions, type PulledArtifact, pullArtifact } from './pull-artifact.ts'
import { pushArtifact } from './push-artifact.ts'

const ctx = context()
const docker = {
  manifest: 'application/vnd.docker.distribution.manifest.v2+json',
  config: 'application/vnd.docker.container.image.v1+json',
  layer: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
} as const
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n---\n'

describe('an artifact of kustomizer', () => {
  it('is read with its metadata', async () => {
    const pulled = await pull(await kustomizer())
    expect(pulled).toMatchObject({
      format: 'kustomizer',
      content: 'objects',
      yaml: configMap,
      metadata: { version: 'v2.2.1', checksum: sha256(configMap), created: '2026-01-01T00:00:00Z', encrypted: false },
    })
  })

  it.for(['version', 'checksum', 'created'])('is refused without the annotation %s', async (name) => {
    await expect(
      pull(await kustomizer({ annotations: { [`kustomizer.dev/${name}`]: undefined } })),
    ).rejects.toMatchObject({
      code: 'artifact.invalid',
      message: `the annotation kustomizer.dev/${name} of the artifact is missing`,
    })
  })

  it('is refused with none of them: a plain image is no artifact', async () => {
    const parts = await kustomizer()
    await expect(pull({ ...parts, annotations: {} })).rejects.toMatchObject({ code: 'artifact.invalid' })
  })

  it('is refused if the YAML is not the one that was built', async () => {
    const parts = await kustomizer({ annotations: { 'kustomizer.dev/checksum': sha256('other') } })
    await expect(pull(parts)).rejects.toMatchObject({ code: 'artifact.checksum' })
  })

  it.for([
    ['checksum', 'x'],
    ['created', 'yesterday'],
    ['encrypted', 'rot13'],
  ])('is refused if %s is %j', async ([name, value]) => {
    const parts = await kustomizer({ annotations: { [`kustomizer.dev/${name}`]: value } })
    await expect(pull(parts)).rejects.toMatchObject({ code: 'artifact.invalid' })
  })

  it('is refused if it is encrypted and says it is not, or the other way round', async () => {
    const armored = '-----BEGIN AGE ENCRYPTED FILE-----\n'
    const silent = await kustomizer({ files: { 'all.yaml': armored } })
    await expect(pull(silent)).rejects.toThrow('its annotations do not say so')
    const plain = await kustomizer({ annotations: { 'kustomizer.dev/encrypted': 'age-encryption.org/v1' } })
    await expect(pull(plain)).rejects.toMatchObject({ code: 'artifact.encrypted' })
    const identities = [await generateX25519Identity()]
    await expect(pull(plain, { identities })).rejects.toThrow(
      'must hold all.yaml.age and nothing else; it holds all.yaml',
    )
  })

  it('is refused with a second file', async () => {
    await expect(pull(await kustomizer({ files: { 'all.yaml': configMap, 'b.yaml': configMap } }))).rejects.toThrow(
      'must hold all.yaml and nothing else; it holds all.yaml, b.yaml',
    )
  })

  it.for([
    ['the same object twice', `${configMap}${configMap}`, 'object.duplicate'],
    ['an object without a name', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n', 'object.invalid'],
    ['an object without a kind', 'apiVersion: v1\nmetadata: {name: a}\n', 'object.invalid'],
    ['a bomb of aliases', bomb(), 'yaml.limit'],
    ['a key twice', 'a: 1\na: 2\n', 'yaml.duplicate-key'],
    ['nothing', '# nothing\n', 'artifact.invalid'],
    ['no text', '\xff\xff\xff', 'yaml.syntax'],
  ])('is refused with %s', async ([, text = '', code]) => {
    await expect(pull(await kustomizer({ files: { 'all.yaml': text } }))).rejects.toMatchObject({ code })
  })

  it('is refused if it is larger than allowed', async () => {
    const parts = await kustomizer({ files: { 'all.yaml': `${configMap}${configMap.replace('name: a', 'name: b')}` } })
    await expect(pull(parts, { limits: { objects: 1 } })).rejects.toMatchObject({ code: 'input.too-large' })
    await expect(pull(parts, { limits: { entryBytes: 50 } })).rejects.toMatchObject({ code: 'input.too-large' })
    await expect(pull(parts, { limits: { packedBytes: 50 } })).rejects.toMatchObject({ code: 'oci.too-large' })
    await expect(pull(parts, { limits: { objects: 2 } })).resolves.toMatchObject({ content: 'objects' })
  })

  it('is refused if it is a bomb', async () => {
    const layer = blob(docker.layer, await gzip(new Uint8Array(32 * 1024 * 1024)))
    await expect(pull({ ...(await kustomizer()), layers: [layer] })).rejects.toMatchObject({ code: 'input.too-large' })
  })
})

describe('what else is an artifact', () => {
  it('is a YAML file that oras pushed', async () => {
    const layer = blob('application/x-yaml', configMap, { 'org.opencontainers.image.title': 'app.yaml' })
    const pulled = await pull({ config: emptyConfig(), layers: [layer], annotations: {} })
    expect(pulled).toMatchObject({ format: 'raw', content: 'objects', yaml: configMap, metadata: { encrypted: false } })
    expect([...pulled.files.keys()]).toEqual(['app.yaml'])
  })

  it('is several YAML files that oras pushed, every one of them', async () => {
    const titled = (title: string, name: string) =>
      blob('application/x-yaml', configMap.replace('name: a', `name: ${name}`), {
        'org.opencontainers.image.title': title,
      })
    const layers = [titled('apps/one.yaml', 'one'), titled('../x.yaml', 'two'), titled('three.yml', 'three')]
    const readme = blob('text/markdown', '# hello', { 'org.opencontainers.image.title': 'README.md' })
    const pulled = await pull({ config: emptyConfig(), layers: [...layers, readme], annotations: {} })
    expect([...pulled.files.keys()]).toEqual(['apps/one.yaml', 'manifest-2.yaml', 'three.yml'])
    expect(pulled.objects.map(({ metadata }) => metadata.name).sort()).toEqual(['one', 'three', 'two'])
    const twice = { config: emptyConfig(), layers: [titled('a.yaml', 'one'), titled('a.yaml', 'two')], annotations: {} }
    await expect(pull(twice)).rejects.toThrow('two layers of the artifact are named a.yaml')
    const large = { limits: { packedBytes: configMap.length * 2 } }
    await expect(pull({ config: emptyConfig(), layers, annotations: {} }, large)).rejects.toMatchObject({
      code: 'oci.too-large',
    })
  })

  it('says that only the first archive of several layers is read', async () => {
    const layer = blob('application/vnd.oci.image.layer.v1.tar+gzip', await tgz({ 'a.yaml': configMap }))
    const warnings: string[] = []
    const log = { ...ctx.log, warn: (message: string) => void warnings.push(message) }
    const target = memoryTarget()
    const parts = { config: emptyConfig(), layers: [layer, blob('application/wasm', 'x')], annotations: {} }
    await pushArtifact(target, assemble(parts), 'v1', ctx)
    await pullArtifact(target, 'v1', {}, context({ log }))
    expect(warnings).toEqual(['of the 2 layers of v1 only 1 are read'])
  })

  it('is no other file that oras pushed under the type of a tar', async () => {
    const layer = blob('application/vnd.oci.image.layer.v1.tar', 'hello', { 'org.opencontainers.image.title': 'f.txt' })
    const parts = { config: emptyConfig(), layers: [layer], annotations: {} }
    await expect(pull(parts)).rejects.toThrow(
      'the artifact is the file "f.txt", which is neither YAML nor a tar archive',
    )
  })

  it('is a file whose title leads elsewhere, under a name that does not', async () => {
    const layer = blob('application/x-yaml', configMap, { 'org.opencontainers.image.title': '../../etc/cron.d/x.yaml' })
    const pulled = await pull({ config: emptyConfig(), layers: [layer], annotations: {} })
    expect([...pulled.files.keys()]).toEqual(['manifest.yaml'])
  })

  it('is a tree of manifests; what is hidden or no YAML stays out of the objects', async () => {
    const files = {
      'b/two.yml': configMap.replace('name: a', 'name: two'),
      'a/one.yaml': configMap.replace('name: a', 'name: one').replace('---\n', ''),
      '.github/ci.yaml': 'on: push\n',
      'README.md': '# no YAML\n',
    }
    const layer = blob('application/vnd.cncf.flux.content.v1.tar+gzip', await tgz(files))
    const config = blob('application/vnd.cncf.flux.config.v1+json', '{}')
    const pulled = await pull({ config, layers: [layer], annotations: {} })
    expect(pulled.objects.map(({ metadata }) => metadata.name)).toEqual(['one', 'two'])
    expect(pulled.yaml).toBe(`${files['a/one.yaml']}---\n${files['b/two.yml']}`)
    expect(pulled.files.size).toBe(4)
  })

  it('says which file of a tree is wrong', async () => {
    const layer = blob('application/vnd.oci.image.layer.v1.tar+gzip', await tgz({ 'apps/bad.yaml': 'a: [\n' }))
    await expect(pull({ config: emptyConfig(), layers: [layer], annotations: {} })).rejects.toMatchObject({
      code: 'yaml.syntax',
      message: expect.stringContaining('apps/bad.yaml'),
    })
  })

  it('is a pack, which Sherpack pushes under the media types of charts', async () => {
    const config = blob('application/vnd.cncf.helm.config.v1+json', '{}')
    const archive = await tgz({ MANIFEST: 'x', 'Pack.yaml': 'a: b\n', 'templates/a.yaml': '{{ values.x }}\n' })
    const layer = blob('application/vnd.cncf.helm.chart.content.v1.tar+gzip', archive)
    const pulled = await pull({ config, layers: [layer], annotations: {} })
    expect(pulled).toMatchObject({ format: 'helm', content: 'tree' })
    expect([...pulled.files.keys()]).toEqual(['MANIFEST', 'Pack.yaml', 'templates/a.yaml'])
    expect(pulled).not.toHaveProperty('chart')
  })

  it.for(['overlay/kustomization.yaml', 'Kustomization', 'chart/Chart.yaml', 'Pack.yaml'])(
    'is left to be rendered if it has %s',
    async (name) => {
      const layer = blob('application/vnd.oci.image.layer.v1.tar+gzip', await tgz({ [name]: 'x: {{ 1 }}\n' }))
      const pulled = await pull({ config: emptyConfig(), layers: [layer], annotations: {} })
      expect(pulled).toMatchObject({ format: 'tar', content: 'tree', yaml: '', objects: [] })
    },
  )

  it('is nothing of an unknown type, and nothing without a layer', async () => {
    const layer = blob('application/wasm', 'x')
    const parts = { config: emptyConfig(), layers: [layer], annotations: {} }
    await expect(pull(parts)).rejects.toThrow('is of the type application/wasm, which Lading does not read')
    await expect(pull({ ...parts, layers: [] })).rejects.toThrow('has no layer')
  })

  it('is no index', async () => {
    const target = memoryTarget()
    const mediaType = 'application/vnd.oci.image.index.v1+json'
    const index = (manifests: readonly object[]) =>
      blob(mediaType, JSON.stringify({ schemaVersion: 2, mediaType, manifests }))
    const empty = index([])
    await target.pushTagged(empty.descriptor, empty.content, 'v1', ctx)
    await expect(pullArtifact(target, 'v1', {}, ctx)).rejects.toMatchObject({ code: 'artifact.invalid' })
    const child = await pushArtifact(target, assemble(await kustomizer()), undefined, ctx)
    const one = index([{ ...child, platform: { os: 'linux', architecture: 'arm64' } }])
    await target.pushTagged(one.descriptor, one.content, 'v2', ctx)
    await expect(pullArtifact(target, 'v2', {}, ctx)).rejects.toThrow(
      `v2 is an index: name one of its manifests by its digest: ${child.digest} (linux/arm64)`,
    )
  })
})

describe('pulling', () => {
  it('refuses a tag that names another digest than expected', async () => {
    const target = memoryTarget()
    await pushArtifact(target, assemble(await kustomizer()), 'v1', ctx)
    const expectDigest = `sha256:${'0'.repeat(64)}`
    await expect(pullArtifact(target, 'v1', { expectDigest }, ctx)).rejects.toMatchObject({
      code: 'oci.digest-mismatch',
    })
  })

  it('refuses another manifest than the one that was asked for by its digest', async () => {
    const target = memoryTarget()
    const { digest } = await pushArtifact(target, assemble(await kustomizer()), 'v1', ctx)
    await pushArtifact(target, assemble(await kustomizer({ annotations: { extra: '1' } })), 'other', ctx)
    const lying: Target = { ...target, resolve: (_, ctx) => target.resolve('other', ctx) }
    await expect(pullArtifact(lying, digest, {}, ctx)).rejects.toMatchObject({ code: 'oci.digest-mismatch' })
  })

  it('refuses blobs that were changed on their way', async () => {
    const target = memoryTarget()
    const { digest } = await pushArtifact(target, assemble(await kustomizer()), 'v1', ctx)
    const tampering: Target = {
      ...target,
      fetch: async (descriptor, ctx) => {
        const chunks: Uint8Array[] = []
        for await (const chunk of await target.fetch(descriptor, ctx)) chunks.push(chunk.with(20, 0))
        return (async function* () {
          yield* chunks
        })()
      },
    }
    await expect(pullArtifact(tampering, digest, {}, ctx)).rejects.toMatchObject({ code: 'oci.digest-mismatch' })
  })
})

async function pull(parts: ArtifactParts, options: PullArtifactOptions = {}): Promise<PulledArtifact> {
  const target = memoryTarget()
  const { digest } = await pushArtifact(target, assemble(parts), undefined, ctx)
  return pullArtifact(target, digest, options, ctx)
}

/** An artifact as kustomizer writes it, changed as the test wants it. */
async function kustomizer(
  change: { files?: Record<string, string>; annotations?: Record<string, string | undefined> } = {},
): Promise<ArtifactParts> {
  const files = change.files ?? { 'all.yaml': configMap }
  const annotations = {
    'kustomizer.dev/version': 'v2.2.1',
    'kustomizer.dev/checksum': sha256(files['all.yaml'] ?? ''),
    'kustomizer.dev/created': '2026-01-01T00:00:00Z',
    ...change.annotations,
  }
  const given = Object.entries(annotations).filter(([, value]) => value !== undefined)
  return {
    mediaType: docker.manifest,
    config: blob(docker.config, '{}'),
    layers: [blob(docker.layer, await tgz(files))],
    annotations: Object.fromEntries(given),
  }
}

function tgz(files: Record<string, string>): Promise<Uint8Array> {
  const entries = Object.entries(files).map(([name, text]) => [name, { content: Buffer.from(text, 'latin1') }] as const)
  return gzip(packTar(new Map(entries)))
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex')
}

function bomb(): string {
  const levels = Array.from({ length: 12 }, (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(10)}]`)
  return `l0: &l0 [x]\n${levels.join('\n')}\n`
}
