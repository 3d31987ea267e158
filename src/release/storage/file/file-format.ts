import { randomBytes } from 'node:crypto'
import { isRecord, parseJson, stringifyJson } from '../../../core/index.ts'
import type { ReleaseRecord } from '../../record/record.ts'
import { type Compression, decodeRecord, decompress, encodeRecord, recordOf } from '../codec.ts'
import { isStatus } from '../record-json.ts'
import { shownLabels } from '../release-labels.ts'
import type { RevisionKey, RevisionSummary } from '../release-store.ts'
import { unreadableError } from '../store-error.ts'
import { sourceLabel } from '../summary-of-record.ts'

/** A file is one document of two lines, JSON and so YAML too, so that lists need to read the first one only. */
const format = 'lading.dev/release.v1'

/** The longest first line. */
export const headerBytes = 16 * 1024

/** The bytes of a record's file. */
export function writeRecordFile(record: ReleaseRecord, compression: Compression): Buffer {
  const { state, createdAt, updatedAt, pack, description, labels } = record
  const source = sourceLabel(pack)
  const header = {
    format,
    compression,
    status: state.status,
    createdAt,
    updatedAt,
    source: source.slice(0, 512),
    ...(description !== undefined && { description: description.slice(0, 1024) }),
    ...(stringifyJson(labels).length < headerBytes / 2 && shownLabels(labels)),
    // Makes the hash of the content name one write.
    write: randomBytes(8).toString('hex'),
  }
  const first = stringifyJson(header).slice(0, -1)
  return Buffer.from(`${first},\n"release":"${encodeRecord(record, compression)}"}\n`, 'utf8')
}

/** Reads a record's file; those of Sherpack hold the compressed JSON alone. */
export function readRecordFile(bytes: Buffer, where: string): ReleaseRecord {
  const value = documentOf(bytes)
  if (value === undefined) return recordOf(decompress(bytes, where).toString('utf8'), where)
  // Sherpack without compression writes the bare record.
  if (value['format'] === undefined) return recordOf(bytes.toString('utf8'), where)
  if (value['format'] !== format) throw unreadableError(where, 'it has a format that is not known here')
  if (typeof value['release'] !== 'string') throw unreadableError(where, 'it holds no release')
  return decodeRecord(value['release'], where)
}

/** What the first line of a file says; undefined if the file is not one of Lading's. */
export function readHeader(start: Buffer, key: RevisionKey): RevisionSummary | undefined {
  const end = start.indexOf(10)
  if (end < 2) return undefined
  const header = documentOf(Buffer.concat([start.subarray(0, end - 1), closing]))
  if (header === undefined || header['format'] !== format || !isStatus(header['status'])) return undefined
  const told = ['createdAt', 'updatedAt', 'source', 'description'].filter((field) => typeof header[field] === 'string')
  const labels = isRecord(header['labels']) ? { labels: header['labels'] as Record<string, string> } : {}
  return {
    ...key,
    status: header['status'],
    ...Object.fromEntries(told.map((field) => [field, header[field]])),
    ...labels,
  }
}

const closing = Buffer.from('}')

function documentOf(bytes: Buffer): Record<string, unknown> | undefined {
  if (bytes[0] !== 0x7b) return undefined
  try {
    const value = parseJson(bytes.toString('utf8'))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
