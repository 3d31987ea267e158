import { createHash } from 'node:crypto'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import fc from '../../../testing/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { context, type KubeObject } from '../../core/index.ts'
import { unpackTar } from '../archive/unpack-tar.ts'
import { memoryTarget } from '../memory-target.ts'
import type { ArtifactFormat } from './media-types.ts'
import { sourceDate } from './metadata.ts'
import { packFiles } from './pack-files.ts'
import { packObjects } from './pack-objects.ts'
import type { PackedArtifact } from './packed-artifact.ts'
import { pullArtifact } from './pull-artifact.ts'
import { pushArtifact } from './push-artifact.ts'

const ctx = context()
const objects: KubeObject[] = [
  { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' }, spec: { replicas: 2 } },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'shop', name: 'web' }, data: { b: '1', a: 'on' } },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
]
const expectedYaml = `apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: v1
data:
  a: "on"
  b: "1"
kind: ConfigMap
metadata:
  name: web
  namespace: shop
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  replicas: 2
---
`
const formats = ['lading', 'kustomizer', 'flux', 'raw', 'tar'] as const satisfies ArtifactFormat[]

describe('packed objects', () => {
  it('are in kustomizer’s format what kustomizer writes', async () => {
    const packed = await packObjects(objects, {
      format: 'kustomizer',
      source: 'https://git.example/shop',
      revision: 'main/6b21c1c',
      created: new Date('2026-02-03T04:05:06.789Z'),
      version: '2.1.0',
    })
    const manifest = manifestOf(packed)
    expect(manifest).toMatchObject({
      schemaVersion: 2,
      mediaType: 'application/vnd.docker.distribution.manifest.v2+json',
      config: { mediaType: 'application/vnd.docker.container.image.v1+json' },
      layers: [{ mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip' }],
      annotations: {
        'kustomizer.dev/version': '2.1.0',
        'kustomizer.dev/checksum': createHash('sha256').update(expectedYaml).digest('hex'),
        'kustomizer.dev/created': '2026-02-03T04:05:06Z',
        'org.opencontainers.image.source': 'https://git.example/shop',
        'org.opencontainers.image.revision': 'main/6b21c1c',
      },
    })
    expect(Object.keys(manifest.annotations)).toHaveLength(5)
    const files = await unpackTar(packed.blobs[1]?.content ?? new Uint8Array())
    expect([...files].map(([name, { content, mode }]) => [name, mode, Buffer.from(content).toString()])).toEqual([
      ['all.yaml', 0o600, expectedYaml],
    ])
  })

  it('are by default what both Flux and kustomizer read', async () => {
    const packed = await packObjects(objects, { source: 'https://git.example/shop', revision: 'main@sha1:6b21c1c' })
    const manifest = manifestOf(packed)
    expect(manifest).toMatchObject({
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: { mediaType: 'application/vnd.cncf.flux.config.v1+json' },
      layers: [{ mediaType: 'application/vnd.cncf.flux.content.v1.tar+gzip' }],
    })
    expect(Object.keys(manifest.annotations)).toEqual([
      'kustomizer.dev/checksum',
      'kustomizer.dev/created',
      'kustomizer.dev/version',
      'org.opencontainers.image.created',
      'org.opencontainers.image.revision',
      'org.opencontainers.image.source',
    ])
    expect(manifest.annotations['org.opencontainers.image.created']).toBe('1970-01-01T00:00:00Z')
    expect([...(await unpackTar(packed.blobs[1]?.content ?? new Uint8Array())).keys()]).toEqual(['all.yaml'])
  })

  // Whoever changes one of these changes the digest of everything that was ever built: say so in the changelog.
  it.for([
    ['lading', 'sha256:012ccbfa696d4a6fcdd7425b0917adc1b0a3a771f3516cf1304825f5d9e800a7'],
    ['kustomizer', 'sha256:9d1c941c5e0d3750578d3c26a55ffbef1710442e003df3886a1ce57da9cbd5f5'],
    ['flux', 'sha256:64a393770905b3d2f88c7f9971d0a9b96bff36b661d6986681432ad61a1e7263'],
    ['raw', 'sha256:06303bd8d731c4177315d917eb04cc00435baff4a64359dd89f52b922ed6dc35'],
    ['tar', 'sha256:4276a6df6b25c8e8229ae5710825b58cba69c27257a299814c47e4fae585e1d1'],
  ] as const)('have for ever the same digest in the format %s', async ([format, digest]) => {
    expect((await packObjects(objects, { format })).manifest.descriptor.digest).toBe(digest)
  })

  it('have the same digest in whatever order objects and fields come', async () => {
    const expected = (await packObjects(objects)).manifest.descriptor.digest
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(objects, { minLength: 3 }), fc.boolean(), async (shuffled, turn) => {
        const given = turn ? (shuffled.map(reverseKeys) as KubeObject[]) : shuffled
        expect((await packObjects(given)).manifest.descriptor.digest).toBe(expected)
      }),
      { numRuns: 12 },
    )
  })

  it('have another digest for any change', async () => {
    const digests = await Promise.all([
      packObjects(objects),
      packObjects(objects.slice(1)),
      packObjects(objects, { created: sourceDate({ SOURCE_DATE_EPOCH: '1' }) ?? new Date(0) }),
      packObjects(objects, { source: 'https://git.example/shop' }),
      packObjects(objects, { revision: 'main' }),
      packObjects(objects, { version: '2' }),
    ])
    expect(new Set(digests.map(({ manifest }) => manifest.descriptor.digest)).size).toBe(digests.length)
  })

  it.for(formats)('come back in the format %s', async (format) => {
    const target = memoryTarget()
    const options = { format, source: 'https://git.example/shop', revision: 'main@sha1:1', created: new Date(1000) }
    const descriptor = await pushArtifact(target, await packObjects(objects, options), 'v1', ctx)
    const pulled = await pullArtifact(target, 'v1', { expectDigest: descriptor.digest }, ctx)
    expect(pulled).toMatchObject({
      digest: descriptor.digest,
      format,
      content: 'objects',
      yaml: expectedYaml,
      metadata: {
        created: '1970-01-01T00:00:01Z',
        sourceUrl: 'https://git.example/shop',
        sourceRevision: 'main@sha1:1',
        encrypted: false,
      },
    })
    expect(pulled.objects.map(({ kind }) => kind)).toEqual(['Namespace', 'ConfigMap', 'Deployment'])
    expect(pulled.objects).toEqual([objects[2], objects[1], objects[0]])
  })

  it.for(['lading', 'kustomizer'] as const)('can be encrypted in the format %s', async (format) => {
    const identity = await generateX25519Identity()
    const recipients = [await identityToRecipient(identity), await identityToRecipient(await generateX25519Identity())]
    const packed = await packObjects(objects, { format, recipients })
    expect(manifestOf(packed).annotations).toMatchObject({
      'kustomizer.dev/encrypted': 'age-encryption.org/v1',
      'kustomizer.dev/checksum': createHash('sha256').update(expectedYaml).digest('hex'),
    })
    expect([...(await unpackTar(packed.blobs[1]?.content ?? new Uint8Array())).keys()]).toEqual(['all.yaml.age'])
    const target = memoryTarget()
    const { digest } = await pushArtifact(target, packed, undefined, ctx)
    const pulled = await pullArtifact(target, digest, { identities: [identity] }, ctx)
    expect(pulled).toMatchObject({ yaml: expectedYaml, metadata: { encrypted: true } })
    expect([...pulled.files.keys()]).toEqual(['all.yaml'])
    await expect(pullArtifact(target, digest, {}, ctx)).rejects.toMatchObject({ code: 'artifact.encrypted' })
    const identities = [await generateX25519Identity()]
    await expect(pullArtifact(target, digest, { identities }, ctx)).rejects.toMatchObject({
      code: 'artifact.encrypted',
    })
  })

  it('are refused where the format cannot be encrypted, or there is nothing to pack, or something twice', async () => {
    const recipients = [await identityToRecipient(await generateX25519Identity())]
    const packing = packObjects(objects, { format: 'flux', recipients })
    await expect(packing).rejects.toMatchObject({ code: 'usage.invalid' })
    await expect(packObjects([])).rejects.toMatchObject({ code: 'source.empty' })
    await expect(packObjects([...objects, ...objects])).rejects.toMatchObject({ code: 'object.duplicate' })
    await expect(packObjects(objects, { recipients: ['age1x'] })).rejects.toMatchObject({ code: 'age.invalid' })
  })
})

describe('a packed tree', () => {
  it.for(['flux', 'tar'] as const)('comes back with its folders in the format %s', async (format) => {
    const files = new Map([
      ['base/kustomization.yaml', { content: Buffer.from('resources: [x.yaml]\n') }],
      ['base/x.yaml', { content: Buffer.from('a: 1\n'), mode: 0o600 }],
      ['run.sh', { content: Buffer.from('#!/bin/sh\n'), mode: 0o777 }],
    ])
    const target = memoryTarget()
    await pushArtifact(target, await packFiles(files, { format }), 'tree', ctx)
    const pulled = await pullArtifact(target, 'tree', {}, ctx)
    expect(pulled).toMatchObject({ format, content: 'tree', yaml: '', objects: [] })
    expect([...pulled.files].map(([name, { mode }]) => [name, mode])).toEqual([
      ['base/kustomization.yaml', 0o644],
      ['base/x.yaml', 0o644],
      ['run.sh', 0o755],
    ])
  })
})

function manifestOf(packed: PackedArtifact): { annotations: Record<string, string> } {
  return JSON.parse(Buffer.from(packed.manifest.content).toString()) as { annotations: Record<string, string> }
}

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, reverseKeys(item)])
      .reverse(),
  )
}
