import { createHash } from 'node:crypto'
import { formatApiVersion, isRecord, type KubeObject, parseJson } from '../../../core/index.ts'
import type { Compression } from '../codec.ts'
import { labels, type ObjectLayout, revisionLabels } from './object-layout.ts'
import type { RevisionKey } from '../release-store.ts'
import { labelValue } from '../revision-key.ts'
import { unreadableError } from '../store-error.ts'

/** The longest text that one object keeps: the API allows 1 MiB. */
export const largestText = 1_000_000

const partSize = 700_000

/**
 * What the main object says of a text that is spread over parts. `generation` is ours: parts of another generation have
 * other names, so that a new record is complete before the index turns to it.
 */
export interface PartIndex {
  readonly format: 'chunked' | 'separate-manifests'
  readonly total_size: number
  readonly chunk_count: number
  readonly chunk_size: number
  readonly checksum: string
  readonly compression: string
  readonly generation?: string
}

/** The index of a text. */
export function indexOf(
  text: string,
  format: PartIndex['format'],
  compression: Compression,
  generation: string,
): PartIndex {
  return {
    format,
    total_size: text.length,
    chunk_count: Math.ceil(text.length / partSize),
    chunk_size: partSize,
    checksum: checksumOf(text),
    compression,
    ...(generation !== '' && { generation }),
  }
}

/** Reads the index of a main object. */
export function readIndex(json: string, where: string): PartIndex {
  let value: unknown
  try {
    value = parseJson(json)
  } catch {
    throw unreadableError(where, 'its index is not JSON')
  }
  if (!isIndex(value)) throw unreadableError(where, 'its index is incomplete')
  if (value.chunk_count > mostParts) throw unreadableError(where, `its index names ${value.chunk_count} parts`)
  return value
}

/** The names of the parts, in order. */
export function partNames(mainName: string, index: PartIndex): string[] {
  const generation = index.generation === undefined ? '' : `.${index.generation}`
  const word = index.format === 'chunked' ? 'chunk' : 'manifest'
  return Array.from({ length: index.chunk_count }, (_, at) => `${mainName}${generation}.${word}.${at}`)
}

/** The name of the main object that a part belongs to. */
export function mainNameOf(partName: string): string {
  return partName.replace(/(\.[0-9a-f]{8})?\.(chunk|manifest)\.\d+$/, '')
}

/** The objects that hold the parts of a text. */
export function partObjects(
  layout: ObjectLayout,
  key: RevisionKey,
  main: { readonly name: string; readonly namespace: string },
  text: string,
  index: PartIndex,
): KubeObject[] {
  const type = index.format === 'chunked' ? 'sherpack.io/release-chunk.v1' : 'sherpack.io/release-manifest.v1'
  return partNames(main.name, index).map((name, at) => {
    const chunk = text.slice(at * partSize, (at + 1) * partSize)
    const metadata = {
      name,
      namespace: main.namespace,
      labels: {
        ...revisionLabels(layout, key),
        [labels.chunked]: 'true',
        [labels.chunkIndex]: String(at),
        [labels.chunkParent]: labelValue(main.name),
      },
    }
    const { apiVersion, kind } = { apiVersion: formatApiVersion(layout.gvk), kind: layout.gvk.kind }
    return { apiVersion, kind, metadata, ...layout.fields({ chunk, index: String(at) }, type) }
  })
}

/** Puts the parts together again and verifies count, order, size and checksum. */
export function joinParts(layout: ObjectLayout, parts: readonly KubeObject[], index: PartIndex, where: string): string {
  const texts = parts.map((part, at) => {
    const chunk = layout.text(part, 'chunk')
    if (chunk === undefined) throw unreadableError(where, `its part ${at} is empty`)
    if (layout.text(part, 'index') !== String(at)) throw unreadableError(where, `its part ${at} is another part`)
    return chunk
  })
  const text = texts.join('')
  if (text.length !== index.total_size) {
    throw unreadableError(where, `its parts hold ${text.length} bytes instead of ${index.total_size}`)
  }
  if (checksumOf(text) !== index.checksum) throw unreadableError(where, 'the checksum of its parts does not match')
  return text
}

// 256 MiB in parts, more than any record may unpack to.
const mostParts = 400

function checksumOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}

function isIndex(value: unknown): value is PartIndex {
  if (!isRecord(value)) return false
  const { format, total_size, chunk_count, checksum, generation } = value
  return (
    (format === 'chunked' || format === 'separate-manifests') &&
    Number.isSafeInteger(total_size) &&
    Number.isSafeInteger(chunk_count) &&
    typeof checksum === 'string' &&
    (generation === undefined || (typeof generation === 'string' && /^[0-9a-f]{8}$/.test(generation)))
  )
}
