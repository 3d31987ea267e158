import type { IncomingMessage } from 'node:http'
import { isLadingError, parseJson } from '../../core/index.ts'
import { parseYamlValue } from '../../core/yaml/index.ts'
import { decodeProtobuf } from './protobuf/decode-protobuf.ts'
import { badRequest, StatusError } from '../status-error.ts'

const protobufType = 'application/vnd.kubernetes.protobuf'
const limit = 3 * 1024 * 1024
const dropped = 128 * 1024 * 1024

/** Reads and parses a request's body; undefined when there is none. */
export async function readRequestBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  // A body that is too large is read to its end and dropped: the connection that the refusal goes out on stays usable.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= limit) chunks.push(chunk)
    if (size > dropped) break
  }
  if (size > limit) throw new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`)
  if (size === 0) return undefined
  const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
  const contentType = request.headers['content-type'] ?? 'application/json'
  if (contentType.startsWith(protobufType)) return decodeProtobuf(bytes)
  return parseBody(bytes.toString('utf8'), contentType)
}

function parseBody(text: string, contentType: string): unknown {
  if (!/json|yaml/.test(contentType)) {
    const accepted = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'
    const message = `the body of the request was in an unknown format - accepted media types include: ${accepted}`
    throw new StatusError(415, 'UnsupportedMediaType', message)
  }
  try {
    // Clients send JSON as apply patches too, and every JSON reader is faster than a YAML reader.
    const isYaml = contentType.includes('yaml') && !text.trimStart().startsWith('{')
    return isYaml ? parseYamlValue(text) : parseJson(text)
  } catch (error) {
    if (isLadingError(error) || error instanceof SyntaxError) throw badRequest(`error decoding body: ${error.message}`)
    throw error
  }
}
