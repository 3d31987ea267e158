import { type Context, toLadingError } from '../../../core/index.ts'
import { parseDigest, sizeMismatch } from '../../descriptor.ts'
import type { PushContent } from '../../target.ts'
import { verifiedContent } from '../../verify-stream.ts'
import { pushChunks } from './push-chunks.ts'
import { scopeOf } from '../repository-paths.ts'
import { begin, beginUpload, cancelUpload, finishUpload, nextUrl, type Upload } from './upload-session.ts'

/** Writes a blob: in one request, or in pieces that are taken up again after a failure where it is long. */
export async function pushBlob(upload: Upload, content: PushContent, ctx: Context): Promise<void> {
  const { d, client } = upload
  // Streams are checked while they are read. Bytes at hand were hashed when they were described; the registry hashes them
  // again and refuses wrong ones, so that a third time would only cost.
  if (content instanceof Uint8Array && content.byteLength !== d.size) throw sizeMismatch(d, content.byteLength)
  parseDigest(d.digest)
  if (d.size > upload.chunkBytes && (await pushChunks(upload, content, ctx))) return
  // A broken upload is begun again: sessions do not tell how much of a single request has arrived.
  await client.attempts(() => pushWhole(upload, content, ctx), ctx)
}

/** Asks the registry to take a blob over from another repository; false where it would rather be sent it. */
export async function mountBlob(upload: Upload, from: string, ctx: Context): Promise<boolean> {
  const { d, repository } = upload
  const query = new URLSearchParams({ mount: d.digest, from })
  const scopes = [scopeOf(repository, 'pull', 'push'), scopeOf(from, 'pull')]
  const answer = await begin(upload, `?${query.toString()}`, scopes, ctx)
  if (answer.status === 201) return true
  await cancelUpload(upload, nextUrl(upload, answer), ctx)
  return false
}

async function pushWhole(upload: Upload, content: PushContent, ctx: Context): Promise<void> {
  const { d } = upload
  // Whoever begins again begins with this.
  const { url } = await beginUpload(upload, ctx, false)
  try {
    const body = content instanceof Uint8Array ? content : () => verifiedContent(d, content)
    await finishUpload(upload, url, body, ctx)
  } catch (thrown) {
    await cancelUpload(upload, url, ctx)
    throw toLadingError(thrown)
  }
}
