import { isRecord, parseJson } from '../../core/index.ts'
import type { Descriptor } from './descriptor.ts'
import { parseDigest } from './digest.ts'
import { RegistryError } from './registry-error.ts'

/** What a registry needs to know of a manifest. */
export interface Manifest {
  readonly mediaType: string | undefined
  /** Content that has to be there before the manifest: config and layers. */
  readonly blobs: readonly Descriptor[]
  /** Manifests that have to be there before, for an index. */
  readonly manifests: readonly Descriptor[]
  /** What it says something about (OCI 1.1); need not be there. */
  readonly subject: Descriptor | undefined
  readonly artifactType: string | undefined
  readonly annotations: Readonly<Record<string, string>> | undefined
}

/** Reads a manifest. */
export function parseManifest(bytes: Uint8Array): Manifest {
  const document = parseDocument(bytes)
  const config = descriptor(document['config'])
  const { annotations } = document
  return {
    mediaType: text(document['mediaType']),
    blobs: [...(config === undefined ? [] : [config]), ...descriptors(document['layers'])],
    manifests: descriptors(document['manifests']),
    subject: descriptor(document['subject']),
    artifactType: text(document['artifactType']) ?? config?.mediaType,
    annotations: isRecord(annotations) ? (annotations as Readonly<Record<string, string>>) : undefined,
  }
}

/** The media type to keep a manifest as: the one that it was pushed as, which it must not contradict. */
export function mediaTypeOf({ mediaType }: Manifest, pushedAs: string | undefined): string {
  const kept = pushedAs ?? mediaType
  if (kept === undefined) throw invalid('a manifest needs a media type')
  if (mediaType !== undefined && mediaType !== kept) {
    throw invalid(`the manifest says that it is ${mediaType}, and was pushed as ${kept}`)
  }
  return kept
}

function parseDocument(bytes: Uint8Array): Record<string, unknown> {
  let document: unknown
  try {
    document = parseJson(Buffer.from(bytes).toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid('the manifest is no JSON')
    throw error
  }
  if (!isRecord(document)) throw invalid('the manifest is no JSON object')
  return document
}

function descriptors(value: unknown): Descriptor[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw invalid('a list of descriptors is none')
  return value.flatMap((item) => descriptor(item) ?? [])
}

function descriptor(value: unknown): Descriptor | undefined {
  if (value === undefined || value === null) return undefined
  if (!isRecord(value) || parseDigest(text(value['digest']) ?? '') === undefined || typeof value['size'] !== 'number') {
    throw invalid('a descriptor needs a digest and a size')
  }
  return value as unknown as Descriptor
}

function invalid(message: string): RegistryError {
  return new RegistryError('MANIFEST_INVALID', message)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
