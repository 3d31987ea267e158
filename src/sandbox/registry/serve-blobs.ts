import { pipeline } from 'node:stream/promises'
import { type Digest, parseDigest } from './digest.ts'
import { answer, type Exchange } from './exchange.ts'
import { RegistryError } from './registry-error.ts'
import type { Repository } from './repository.ts'
import type { ByteRange } from './storage/storage.ts'

/** GET, HEAD and DELETE of `/v2/NAME/blobs/DIGEST`. */
export async function serveBlob(exchange: Exchange, repository: Repository, text: string): Promise<void> {
  const digest = digestOrRefuse(text)
  switch (exchange.request.method) {
    case 'GET':
    case 'HEAD':
      return sendBlob(exchange, repository, digest, text)
    case 'DELETE': {
      const removed = !(await repository.isManifest(text)) && (await repository.storage.removeBlob(digest))
      if (!removed) throw unknownBlob(text)
      return answer(exchange, 202, { 'docker-content-digest': text })
    }
    default:
      throw new RegistryError('UNSUPPORTED', 'blobs are uploaded at /blobs/uploads/')
  }
}

/** A digest, or a refusal of what is none. */
export function digestOrRefuse(text: string): Digest {
  const digest = parseDigest(text)
  if (digest === undefined) throw new RegistryError('DIGEST_INVALID', `${text} is no digest of sha256 or sha512`)
  return digest
}

async function sendBlob(exchange: Exchange, repository: Repository, digest: Digest, text: string): Promise<void> {
  const { request, response } = exchange
  const blob = await repository.storage.blob(digest)
  if (blob === undefined) throw unknownBlob(text)
  const range = readRange(request.headers.range, blob.size)
  response.writeHead(range === undefined ? 200 : 206, {
    'content-type': 'application/octet-stream',
    'content-length': range === undefined ? blob.size : range.end - range.start + 1,
    'docker-content-digest': text,
    etag: `"${text}"`,
    'accept-ranges': 'bytes',
    ...(range === undefined ? {} : { 'content-range': `bytes ${range.start}-${range.end}/${blob.size}` }),
  })
  if (request.method === 'HEAD') response.end()
  else await pipeline(blob.read(range), response)
}

/** One range of RFC 9110; several ranges, and other units, are answered with the whole, which it allows. */
function readRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start <= end) return { start, end }
  throw new RegistryError('RANGE_INVALID', `the content has ${size} bytes`, {
    headers: { 'content-range': `bytes */${size}` },
  })
}

function unknownBlob(digest: string): RegistryError {
  return new RegistryError('BLOB_UNKNOWN', 'blob unknown to registry', { detail: { digest } })
}
