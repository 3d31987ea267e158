import { type ProtobufTable, protobufTable } from '../../../schema/index.ts'
import { badRequest } from '../../status-error.ts'
import { decodeMessage } from './decode-message.ts'
import { malformed, wireFields } from './wire.ts'

/** Reads an object in Kubernetes' protobuf form: four magic bytes and an envelope that names the kind. */
export function decodeProtobuf(body: Uint8Array): unknown {
  if (body.length < 4 || body[0] !== 0x6b || body[1] !== 0x38 || body[2] !== 0x73 || body[3] !== 0) {
    throw malformed('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]')
  }
  const { apiVersion, kind, raw } = readEnvelope(body.subarray(4))
  table ??= protobufTable()
  const message = table.messageOf(apiVersion, kind)
  if (message === undefined) {
    throw badRequest(`no kind "${kind}" is registered for version "${apiVersion}" in protobuf`)
  }
  const object = decodeMessage(table, message, raw)
  return { kind, apiVersion, ...(object as Record<string, unknown>) }
}

// Constant data, read when the first such body comes.
let table: ProtobufTable | undefined

interface Envelope {
  readonly apiVersion: string
  readonly kind: string
  readonly raw: Uint8Array
}

// runtime.Unknown: typeMeta = 1 {apiVersion = 1, kind = 2}, raw = 2, contentEncoding = 3, contentType = 4.
function readEnvelope(bytes: Uint8Array): Envelope {
  const envelope: { apiVersion: string; kind: string; raw: Uint8Array } = {
    apiVersion: '',
    kind: '',
    raw: new Uint8Array(),
  }
  for (const { number, value } of wireFields(bytes)) {
    if (typeof value === 'bigint') continue
    if (number === 1) Object.assign(envelope, readTypeMeta(value))
    if (number === 2) envelope.raw = value
    if (number === 3 && value.length > 0) throw malformed('content encodings are not supported')
  }
  return envelope
}

function readTypeMeta(bytes: Uint8Array): Partial<Envelope> {
  const texts = new Map([...wireFields(bytes)].map(({ number, value }) => [number, value]))
  const text = (number: number): string => {
    const value = texts.get(number)
    return value === undefined || typeof value === 'bigint' ? '' : Buffer.from(value).toString('utf8')
  }
  return { apiVersion: text(1), kind: text(2) }
}
