import { describe as suite, expect, it } from 'vitest'
import { describe } from './descriptor.ts'
import { childrenOf, mediaTypes, parseManifest } from './manifest.ts'

const blob = { mediaType: 'text/plain', digest: `sha256:${'0'.repeat(64)}`, size: 3 }
const good = { schemaVersion: 2, mediaType: mediaTypes.ociManifest, config: blob, layers: [blob] }

suite('a manifest', () => {
  it('is read with what it refers to', () => {
    const manifest = read({ ...good, annotations: { a: 'b' }, subject: blob, artifactType: 'application/x' })
    expect(childrenOf(manifest)).toEqual([blob, blob])
    expect(manifest).toMatchObject({ annotations: { a: 'b' }, subject: blob, artifactType: 'application/x' })
  })

  it('of Docker is read too, and so is an index', () => {
    const docker = { ...good, mediaType: mediaTypes.dockerManifest }
    expect(read(docker, mediaTypes.dockerManifest).mediaType).toBe(mediaTypes.dockerManifest)
    const platform = { architecture: 'arm64', os: 'linux', variant: 'v8' }
    const index = { schemaVersion: 2, manifests: [{ ...blob, platform }] }
    expect(childrenOf(read(index, mediaTypes.ociIndex))).toEqual([{ ...blob, platform }])
  })

  it.each([
    ['schemaVersion', { ...good, schemaVersion: 1 }],
    ['mediaType', { ...good, mediaType: mediaTypes.dockerManifest }],
    ['has no manifests', { ...good, manifests: [] }],
    ['config is no descriptor', { ...good, config: undefined }],
    ['layers is no list', { ...good, layers: {} }],
    ['layers[0].digest', { ...good, layers: [{ ...blob, digest: 'sha256:../../x' }] }],
    ['layers[0].size', { ...good, layers: [{ ...blob, size: -1 }] }],
    ['layers[0].size', { ...good, layers: [{ ...blob, size: 1e300 }] }],
    ['layers[0].mediaType', { ...good, layers: [{ ...blob, mediaType: 'text/plain\r\nx: y' }] }],
    ['annotations["a"]', { ...good, annotations: { a: 1 } }],
    ['no JSON map', []],
  ])('is refused where %s is wrong', (reason, value) => {
    expect(() => read(value)).toThrow(expect.objectContaining({ code: 'oci.manifest-invalid' }))
    expect(() => read(value)).toThrow(reason)
  })

  it.each([
    ['layers', { ...good, layers: Array.from({ length: 20_000 }, () => blob) }, mediaTypes.ociManifest],
    ['manifests', { schemaVersion: 2, manifests: Array.from({ length: 20_000 }, () => blob) }, mediaTypes.ociIndex],
  ])('is refused where it lists 20,000 %s', (list, value, mediaType) => {
    expect(() => read(value, mediaType)).toThrow(expect.objectContaining({ code: 'oci.too-large' }))
    expect(() => read(value, mediaType)).toThrow(`lists 20000 ${list}, and at most 4096 are allowed`)
  })

  it('is refused where it is no JSON, or larger than allowed, or not what its digest says', () => {
    const text = (content: string) => Buffer.from(content)
    const parse = (content: Buffer) => parseManifest(content, describe(mediaTypes.ociManifest, content))
    expect(() => parse(text('{'))).toThrow(expect.objectContaining({ code: 'oci.manifest-invalid' }))
    expect(() => parse(Buffer.from([0x22, 0xff, 0x22]))).toThrow('no JSON')
    expect(() => parse(Buffer.alloc(4 * 1024 * 1024 + 1))).toThrow(expect.objectContaining({ code: 'oci.too-large' }))
    const d = describe(mediaTypes.ociManifest, text('{}'))
    expect(() => parseManifest(text('[]'), d)).toThrow(expect.objectContaining({ code: 'oci.digest-mismatch' }))
  })
})

function read(value: unknown, mediaType: string = mediaTypes.ociManifest) {
  const bytes = Buffer.from(JSON.stringify(value))
  return parseManifest(bytes, describe(mediaType, bytes))
}
