import type { Dispatcher } from 'undici'
import type { LadingError } from '../../core/index.ts'
import type { Reply } from './read-response.ts'
import type { KubeStream } from './transport.ts'
import { cancelled, wireError } from './wire-error.ts'

/** A stream that was opened, or why not. */
export type Opened =
  | (Reply & { readonly stream: KubeStream })
  | { readonly ok: false; readonly error: LadingError; readonly sent: boolean }

/** Opens a stream whose body may pause as long as it likes. */
export async function openStream(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  server: string,
  signal: AbortSignal,
): Promise<Opened> {
  const toError = (error: unknown): LadingError =>
    signal.aborted ? cancelled(signal.reason) : wireError(error, server)
  try {
    const { statusCode: status, headers, body } = await dispatcher.request({ ...options, signal })
    if (status < 300) return { ok: true, status, headers, text: '', stream: streamOf(body, toError) }
    // A Status is small; whatever else comes is cut off by `dump`, so that the connection can be used again.
    const text = Number(headers['content-length'] ?? 0) <= 1024 * 1024 ? await body.text() : ''
    if (text === '') await body.dump()
    return { ok: true, status, headers, text, stream: streamOf(body, toError) }
  } catch (error) {
    return { ok: false, error: toError(error), sent: true }
  }
}

function streamOf(body: Dispatcher.ResponseData['body'], toError: (error: unknown) => LadingError): KubeStream {
  let closed = false
  // Destroying a body that nobody reads must not surface as an unhandled error.
  body.on('error', () => {})
  const close = (): void => {
    closed = true
    body.destroy()
  }
  return {
    close,
    async *[Symbol.asyncIterator]() {
      try {
        for await (const chunk of body) yield chunk as Uint8Array
      } catch (error) {
        if (!closed) throw toError(error)
      } finally {
        close()
      }
    },
  }
}
