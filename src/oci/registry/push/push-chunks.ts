import { type Context, isLadingError, LadingError } from '../../../core/index.ts'
import { dump, type WireAnswer } from '../../../net/index.ts'
import type { PushContent } from '../../target.ts'
import { verifiedContent } from '../../verify-stream.ts'
import { header } from '../answer-error.ts'
import { beginUpload, cancelUpload, finishUpload, nextUrl, type Upload, uploadRequest } from './upload-session.ts'
import { hasContent } from '../has-content.ts'

/** Writes a blob in pieces; false where the registry takes blobs only as a whole. */
export async function pushChunks(upload: Upload, content: PushContent, ctx: Context): Promise<boolean> {
  const { url, minChunkBytes } = await beginUpload(upload, ctx)
  const session: Session = { url, offset: 0 }
  const length = Math.max(upload.chunkBytes, minChunkBytes)
  try {
    for await (const chunk of pieces(verifiedContent(upload.d, content), length)) {
      await sendChunk(upload, session, chunk, ctx)
    }
    await upload.client.attempts(async (attempt) => {
      // The answer to the last request may be what was lost.
      if (attempt > 1 && (await hasContent(upload.client, upload.repository, upload.d, ctx))) return
      await finishUpload(upload, session.url, undefined, ctx)
    }, ctx)
    return true
  } catch (error) {
    await cancelUpload(upload, session.url, ctx)
    const refused = isLadingError(error, 'oci.unsupported', 'oci.refused', 'oci.not-found') && session.offset === 0
    if (refused) return false
    throw error
  }
}

interface Session {
  url: URL
  /** How much the registry has. */
  offset: number
}

async function sendChunk(upload: Upload, session: Session, chunk: Uint8Array, ctx: Context): Promise<void> {
  const start = session.offset
  const end = start + chunk.byteLength
  await upload.client.attempts(async (attempt) => {
    // After a failure the registry tells how much has arrived, and the rest of the piece is sent.
    if (attempt > 1) await readProgress(upload, session, start, end, ctx)
    const rest = chunk.subarray(session.offset - start)
    if (rest.byteLength === 0) return
    const answer = await upload.client.send(
      {
        ...uploadRequest(upload, 'PATCH', session.url),
        headers: {
          'content-type': 'application/octet-stream',
          'content-length': String(rest.byteLength),
          'content-range': `${session.offset}-${end - 1}`,
        },
        body: rest,
        expect: [202, 204],
        retry: false,
      },
      ctx,
    )
    await dump(answer)
    session.url = nextUrl(upload, answer)
    session.offset = end
  }, ctx)
}

async function readProgress(upload: Upload, session: Session, start: number, end: number, ctx: Context): Promise<void> {
  const request = uploadRequest(upload, 'GET', session.url)
  const answer = await upload.client.send({ ...request, expect: [204, 202, 200], retry: false }, ctx)
  await dump(answer)
  if (header(answer, 'location') !== undefined) session.url = nextUrl(upload, answer)
  session.offset = arrived(answer, start, end)
}

/** `Range: 0-N` names the last byte; an empty session says `0-0`, as one with a single byte does. */
function arrived(answer: WireAnswer, start: number, end: number): number {
  const [, last] = /^(?:bytes=)?0-(\d+)$/.exec(header(answer, 'range') ?? '') ?? []
  const offset = last === undefined || (last === '0' && start === 0) ? start : Number(last) + 1
  if (offset >= start && offset <= end) return offset
  const message = `${answer.url.host} lost a part of an upload: it has ${offset} bytes, and had ${start}`
  throw new LadingError('oci.refused', message, { offset, start })
}

/** The same bytes in pieces of one length; the last may be shorter. */
async function* pieces(content: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array, void> {
  let held: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    let rest = chunk
    while (size + rest.byteLength >= length) {
      const head = rest.subarray(0, length - size)
      yield held.length === 0 ? head : Buffer.concat([...held, head])
      rest = rest.subarray(head.byteLength)
      held = []
      size = 0
    }
    if (rest.byteLength > 0) {
      held.push(rest)
      size += rest.byteLength
    }
  }
  if (size > 0) yield Buffer.concat(held)
}
