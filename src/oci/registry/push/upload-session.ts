import { type Context, LadingError, toLadingError } from '../../../core/index.ts'
import { dump, type WireAnswer } from '../../../net/index.ts'
import type { Descriptor } from '../../descriptor.ts'
import { header } from '../answer-error.ts'
import type { RegistryClient, RegistryRequest } from '../client.ts'
import { scopeOf } from '../repository-paths.ts'

/** What an upload goes through. */
export interface Upload {
  readonly client: RegistryClient
  readonly repository: string
  readonly d: Descriptor
  /** Blobs that are longer are sent in pieces of this length. */
  readonly chunkBytes: number
}

/** Opens an upload session and gives where its content goes. */
export async function beginUpload(
  upload: Upload,
  ctx: Context,
  retry = true,
): Promise<{ url: URL; minChunkBytes: number }> {
  const answer = await begin(upload, '', [scopeOf(upload.repository, 'pull', 'push')], ctx, retry)
  const minimum = Number(header(answer, 'oci-chunk-min-length') ?? 0)
  return { url: nextUrl(upload, answer), minChunkBytes: Number.isSafeInteger(minimum) ? minimum : 0 }
}

/** Asks to write a blob; `query` may ask for more than a session. */
export async function begin(
  upload: Upload,
  query: string,
  scopes: readonly string[],
  ctx: Context,
  retry = true,
): Promise<WireAnswer> {
  const answer = await upload.client.send(
    {
      method: 'POST',
      to: `/v2/${upload.repository}/blobs/uploads/${query}`,
      headers: { 'content-length': '0' },
      scopes,
      expect: [201, 202],
      retry,
      what: `push of ${upload.d.digest} to ${upload.repository}`,
    },
    ctx,
  )
  await dump(answer)
  return answer
}

/** Ends a session with its (last) content. */
export async function finishUpload(
  upload: Upload,
  url: URL,
  body: RegistryRequest['body'],
  ctx: Context,
): Promise<void> {
  const to = new URL(url)
  to.searchParams.set('digest', upload.d.digest)
  const size = body instanceof Uint8Array ? body.byteLength : body === undefined ? 0 : upload.d.size
  const answer = await upload.client.send(
    {
      ...uploadRequest(upload, 'PUT', to),
      headers: { 'content-type': 'application/octet-stream', 'content-length': String(size) },
      body,
      expect: [201, 204],
      retry: false,
    },
    ctx,
  )
  await dump(answer)
}

/** The common parts of the requests of a session. */
export function uploadRequest(
  { repository, d }: Upload,
  method: RegistryRequest['method'],
  to: URL,
): Pick<RegistryRequest, 'method' | 'to' | 'scopes' | 'what'> {
  const scopes = [scopeOf(repository, 'pull', 'push')]
  return { method, to, scopes, what: `push of ${d.digest} to ${repository}` }
}

/** Where a session goes on. */
export function nextUrl({ client, d }: Upload, answer: WireAnswer): URL {
  const location = header(answer, 'location')
  if (location !== undefined) return client.elsewhere(location, answer.url)
  const message = `${client.origin.host} does not say where the upload of ${d.digest} goes on`
  throw new LadingError('oci.server-error', message, { status: answer.status })
}

/** Leaves nothing half-written behind; a registry that does not know this purges sessions by itself. */
export async function cancelUpload(upload: Upload, url: URL, ctx: Context): Promise<void> {
  // Also when the work was cancelled, but not for long.
  const cleanup: Context = { ...ctx, signal: AbortSignal.timeout(5_000) }
  try {
    const request = uploadRequest(upload, 'DELETE', url)
    await dump(await upload.client.send({ ...request, expect: [200, 202, 204, 404], retry: false }, cleanup))
  } catch (error) {
    ctx.log.debug('an upload could not be cancelled', { code: toLadingError(error).code })
  }
}
