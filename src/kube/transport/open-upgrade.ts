import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Dispatcher } from 'undici'
import { type Fence, LadingError } from '../../core/index.ts'
import type { Reply } from './read-response.ts'
import { cancelled, wireError } from './wire-error.ts'

/** A connection that left HTTP behind, the refusal of it, or why there was no answer. */
export type Upgraded =
  | (Reply & { readonly socket?: Duplex })
  | { readonly ok: false; readonly error: LadingError; readonly sent: boolean }

/** The limits of one upgrade. */
export interface UpgradeLimits {
  readonly server: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly fence?: Fence
}

/** A refusal is a Status, which is small; what goes beyond is not read. */
const maxRefusalBytes = 64 * 1024

/** Asks to switch protocols; a refusal is read as any other answer, so that its Status is not lost. */
export function openUpgrade(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: UpgradeLimits,
): Promise<Upgraded> {
  const { server, timeoutMs, signal } = limits
  if (signal.aborted) return Promise.resolve({ ok: false, error: cancelled(signal.reason), sent: false })
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined
    let refusal = { status: 0, headers: {} as IncomingHttpHeaders, text: '' }
    const settle = (answer: Upgraded): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      resolve(answer)
    }
    const fail = (error: LadingError): void => {
      settle({ ok: false, error, sent: controller !== undefined })
      controller?.abort(error)
    }
    const onAbort = (): void => fail(cancelled(signal.reason))
    const onTimeout = (): void =>
      fail(new LadingError('kube.timeout', `${server} did not answer within ${timeoutMs} ms`, { server, timeoutMs }))
    const timer = setTimeout(onTimeout, timeoutMs)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      dispatcher.dispatch(request, {
        onRequestStart: (started) => {
          const refusal = limits.fence?.refusal()
          if (refusal !== undefined) throw refusal
          controller = started
        },
        onRequestUpgrade: (_controller, status, headers, socket) =>
          settle({ ok: true, status, headers, text: '', socket }),
        onResponseStart: (_controller, status, headers) => {
          if (status >= 200) refusal = { status, headers, text: '' }
        },
        onResponseData: (_controller, chunk) => {
          if (refusal.text.length < maxRefusalBytes) refusal.text += chunk.toString('utf8')
        },
        onResponseEnd: () => settle({ ok: true, ...refusal }),
        onResponseError: (_controller, error) => fail(wireError(error, server)),
      })
    } catch (error) {
      fail(wireError(error, server))
    }
  })
}
