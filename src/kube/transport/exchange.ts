import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { type Fence, LadingError } from '../../core/index.ts'
import type { Abortable, AbortGroups } from './abort-groups.ts'
import type { Reply } from './read-response.ts'
import { cancelled, wireError } from './wire-error.ts'

/** One HTTP exchange, collected whole. */
export type Answer =
  | Reply
  /** `sent` tells whether the server may have seen the request. */
  | { readonly ok: false; readonly error: LadingError; readonly sent: boolean }

/** The limits of one exchange. */
export interface ExchangeLimits {
  readonly server: string
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal: AbortSignal
  readonly aborts: AbortGroups
  /** Asked in the instant in which the request is written to its connection: before, it may have waited for one. */
  readonly fence?: Fence
}

/**
 * Sends one request and collects its answer. Works on undici's dispatch level: a stream object per answer costs more than the
 * rest of the exchange for the small bodies that applied objects have.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
): Promise<Answer> {
  if (limits.signal.aborted) return Promise.resolve({ ok: false, error: cancelled(limits.signal.reason), sent: false })
  return new Promise((resolve) => {
    const collector = new Collector(limits, resolve)
    try {
      dispatcher.dispatch(request, collector)
    } catch (error) {
      collector.fail(wireError(error, limits.server))
    }
  })
}

class Collector implements Dispatcher.DispatchHandler, Abortable {
  readonly #limits: ExchangeLimits
  readonly #resolve: (answer: Answer) => void
  readonly #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #settled: LadingError | true | undefined
  #status = 0
  #headers: IncomingHttpHeaders = {}
  #chunks: Buffer[] = []
  #size = 0

  constructor(limits: ExchangeLimits, resolve: (answer: Answer) => void) {
    this.#limits = limits
    this.#resolve = resolve
    this.#timer = setTimeout(timeOut, limits.timeoutMs, this)
    limits.aborts.add(limits.signal, this)
  }

  abort(reason: unknown): void {
    this.fail(cancelled(reason))
  }

  fail(error: LadingError): void {
    if (this.#settled !== undefined) return
    const sent = this.#controller !== undefined
    this.#settle(error, { ok: false, error, sent })
    this.#controller?.abort(error)
  }

  timeOut(): void {
    const { server, timeoutMs } = this.#limits
    this.fail(new LadingError('kube.timeout', `${server} did not answer within ${timeoutMs} ms`, { server, timeoutMs }))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Thrown, not aborted: nothing was written yet, so the connection stays usable.
    if (this.#settled instanceof LadingError) throw this.#settled
    const refusal = this.#limits.fence?.refusal()
    if (refusal !== undefined) throw refusal
    this.#controller = controller
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    this.#status = status
    this.#headers = headers
    if (Number(headers['content-length']) > this.#limits.maxBytes) this.#tooLarge()
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > this.#limits.maxBytes) this.#tooLarge()
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    if (this.#settled !== undefined) return
    const chunks = this.#chunks
    const text = (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString('utf8')
    this.#settle(true, { ok: true, status: this.#status, headers: this.#headers, text })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(wireError(error, this.#limits.server))
  }

  #tooLarge(): void {
    const { maxBytes } = this.#limits
    const message = `the answer of the API server is larger than ${maxBytes} bytes`
    this.fail(new LadingError('kube.response-too-large', message, { maxBytes }))
  }

  #settle(how: LadingError | true, answer: Answer): void {
    this.#settled = how
    clearTimeout(this.#timer)
    this.#limits.aborts.remove(this.#limits.signal, this)
    this.#chunks = []
    this.#resolve(answer)
  }
}

function timeOut(collector: Collector): void {
  collector.timeOut()
}
