import { isRecord, LadingError } from '../core/index.ts'
import { type Descriptor, isDigest, type Platform, verifyContent } from './descriptor.ts'

/** The media types that Lading tells apart: those of OCI and of Docker's schema 2. */
export const mediaTypes = {
  ociManifest: 'application/vnd.oci.image.manifest.v1+json',
  ociIndex: 'application/vnd.oci.image.index.v1+json',
  ociConfig: 'application/vnd.oci.image.config.v1+json',
  ociLayerTarGzip: 'application/vnd.oci.image.layer.v1.tar+gzip',
  ociEmpty: 'application/vnd.oci.empty.v1+json',
  dockerManifest: 'application/vnd.docker.distribution.manifest.v2+json',
  dockerManifestList: 'application/vnd.docker.distribution.manifest.list.v2+json',
  dockerConfig: 'application/vnd.docker.container.image.v1+json',
  dockerLayerTarGzip: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
} as const

/** A manifest of one artifact or image. */
export interface ImageManifest {
  readonly mediaType: typeof mediaTypes.ociManifest | typeof mediaTypes.dockerManifest
  readonly artifactType?: string
  readonly config: Descriptor
  readonly layers: readonly Descriptor[]
  readonly subject?: Descriptor
  readonly annotations?: Readonly<Record<string, string>>
}

/** A manifest of manifests. */
export interface ImageIndex {
  readonly mediaType: typeof mediaTypes.ociIndex | typeof mediaTypes.dockerManifestList
  readonly artifactType?: string
  readonly manifests: readonly Descriptor[]
  readonly subject?: Descriptor
  readonly annotations?: Readonly<Record<string, string>>
}

/** What registries must accept at least and what Lading reads at most (distribution specification, "Pushing Manifests"). */
export const maxManifestBytes = 4 * 1024 * 1024

/** How many layers a manifest, or manifests an index may list: images have at most 127, and each one is a request or more. */
export const maxDescriptors = 4096

const manifestTypes: ReadonlySet<string> = new Set([mediaTypes.ociManifest, mediaTypes.dockerManifest])
const indexTypes: ReadonlySet<string> = new Set([mediaTypes.ociIndex, mediaTypes.dockerManifestList])

/** Whether content of this media type is kept as a manifest, not as a blob. */
export function isManifestType(mediaType: string): boolean {
  return manifestTypes.has(mediaType) || indexTypes.has(mediaType)
}

/** Whether content of this media type is a manifest of manifests. */
export function isIndexType(mediaType: string): boolean {
  return indexTypes.has(mediaType)
}

/** Whether a layer is one that registries need not have: Windows' own, which its maker alone may distribute. */
export function isForeignLayer(mediaType: string): boolean {
  return mediaType.includes('.nondistributable.') || mediaType.includes('.foreign.')
}

/** Whether a manifest is one of manifests. */
export function isIndex(manifest: ImageManifest | ImageIndex): manifest is ImageIndex {
  return indexTypes.has(manifest.mediaType)
}

/** What a manifest refers to and needs to be whole; its subject is none of that. */
export function childrenOf(manifest: ImageManifest | ImageIndex): readonly Descriptor[] {
  return isIndex(manifest) ? manifest.manifests : [manifest.config, ...manifest.layers]
}

/** Reads a manifest strictly, after its digest and size were checked. */
export function parseManifest(bytes: Uint8Array, descriptor: Descriptor): ImageManifest | ImageIndex {
  if (bytes.byteLength > maxManifestBytes) throw manifestTooLarge(descriptor, bytes.byteLength)
  verifyContent(descriptor, bytes)
  const invalid: Invalid = (what) =>
    new LadingError('oci.manifest-invalid', `manifest ${descriptor.digest}: ${what}`, { digest: descriptor.digest })
  const value = readJson(bytes, invalid)
  if (value['schemaVersion'] !== 2) throw invalid('schemaVersion is not 2')
  const { mediaType } = descriptor
  if (value['mediaType'] !== undefined && value['mediaType'] !== mediaType) {
    throw invalid(`mediaType is not ${mediaType}, as which it is referred to`)
  }
  // One text must not be an image to one reader and an index to another (CVE-2021-41190).
  const foreign = indexTypes.has(mediaType) ? ['config', 'layers', 'fsLayers'] : ['manifests', 'fsLayers']
  for (const field of foreign) if (field in value) throw invalid(`a ${mediaType} has no ${field}`)
  const list = indexTypes.has(mediaType) ? 'manifests' : 'layers'
  refuseTooMany(value[list], list, descriptor)
  const shared = {
    ...optionalText(value, 'artifactType', invalid),
    subject: value['subject'] === undefined ? undefined : readDescriptor(value['subject'], 'subject', invalid),
    ...readAnnotations(value, 'annotations', invalid),
  }
  if (indexTypes.has(mediaType)) {
    const manifests = readDescriptors(value['manifests'], 'manifests', invalid)
    return { mediaType: mediaType as ImageIndex['mediaType'], manifests, ...shared }
  }
  if (!manifestTypes.has(mediaType)) throw invalid(`${JSON.stringify(mediaType)} is no manifest that Lading reads`)
  const config = readDescriptor(value['config'], 'config', invalid)
  const layers = readDescriptors(value['layers'], 'layers', invalid)
  return { mediaType: mediaType as ImageManifest['mediaType'], config, layers, ...shared }
}

/** Refuses a list that would take a registry thousands of requests. */
function refuseTooMany(list: unknown, name: string, { digest }: Descriptor): void {
  if (!Array.isArray(list) || list.length <= maxDescriptors) return
  const message = `manifest ${digest} lists ${list.length} ${name}, and at most ${maxDescriptors} are allowed`
  throw new LadingError('oci.too-large', message, { digest, [name]: list.length, limit: maxDescriptors })
}

/** The error for a manifest that is larger than any may be. */
export function manifestTooLarge({ digest }: Descriptor, size: number): LadingError {
  const message = `manifest ${digest} has ${size} bytes, and at most ${maxManifestBytes} are allowed`
  return new LadingError('oci.too-large', message, { digest, size, limit: maxManifestBytes })
}

/** Reads one descriptor strictly; `path` says where it stands. */
export function readDescriptor(value: unknown, path: string, invalid: Invalid): Descriptor {
  if (!isRecord(value)) throw invalid(`${path} is no descriptor`)
  const { mediaType, digest, size } = value
  if (typeof mediaType !== 'string' || !mediaTypePattern.test(mediaType))
    throw invalid(`${path}.mediaType is missing or no media type`)
  if (typeof digest !== 'string' || !isDigest(digest)) throw invalid(`${path}.digest is no sha256 or sha512 digest`)
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) throw invalid(`${path}.size is no length`)
  return {
    mediaType,
    digest,
    size,
    ...readAnnotations(value, `${path}.annotations`, invalid),
    ...optionalText(value, 'artifactType', invalid),
    ...(value['platform'] === undefined ? {} : { platform: readPlatform(value['platform'], path, invalid) }),
  }
}

/** Makes the error for one finding. */
export type Invalid = (what: string) => LadingError

// RFC 6838, section 4.2, with parameters, which some tools write.
const mediaTypePattern = /^[A-Za-z0-9][\w!#$&^.+-]{0,126}\/[A-Za-z0-9][\w!#$&^.+-]{0,126}(?:;[ -~]{1,200})?$/

function readDescriptors(value: unknown, path: string, invalid: Invalid): Descriptor[] {
  if (!Array.isArray(value)) throw invalid(`${path} is no list`)
  return value.map((one, index) => readDescriptor(one, `${path}[${index}]`, invalid))
}

function readAnnotations(
  parent: Record<string, unknown>,
  path: string,
  invalid: Invalid,
): { annotations?: Record<string, string> } {
  const value = parent['annotations']
  if (value === undefined || value === null) return {}
  if (!isRecord(value)) throw invalid(`${path} is no map`)
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string') throw invalid(`${path}[${JSON.stringify(key)}] is no text`)
  }
  return { annotations: value as Record<string, string> }
}

function readPlatform(value: unknown, path: string, invalid: Invalid): Platform {
  if (!isRecord(value)) throw invalid(`${path}.platform is no map`)
  const { architecture, os, variant } = value
  if (typeof architecture !== 'string' || typeof os !== 'string') {
    throw invalid(`${path}.platform has no architecture or no os`)
  }
  return { architecture, os, ...(typeof variant === 'string' && { variant }) }
}

function optionalText<K extends string>(
  parent: Record<string, unknown>,
  key: K,
  invalid: Invalid,
): { readonly [key in K]?: string } {
  const value = parent[key]
  if (value === undefined || value === '') return {}
  if (typeof value !== 'string') throw invalid(`${key} is no text`)
  return { [key]: value } as { readonly [key in K]?: string }
}

function readJson(bytes: Uint8Array, invalid: Invalid): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw invalid('it is no JSON')
  }
  if (!isRecord(value)) throw invalid('it is no JSON map')
  return value
}
