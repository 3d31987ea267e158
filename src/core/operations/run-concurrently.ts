import type { Context } from '../context.ts'
import { abortError } from '../errors.ts'

/**
 * Runs `work` over items with at most `limit` in flight and yields results as they finish. Work that throws stops the
 * rest and the error is thrown; so does an abort. A consumer that leaves early aborts what is in flight, and nothing
 * runs on after the generator has ended.
 */
export async function* runConcurrently<T, R>(
  items: Iterable<T>,
  limit: number,
  work: (item: T, ctx: Context) => Promise<R>,
  ctx: Context,
): AsyncGenerator<R, void> {
  const stop = new AbortController()
  const inner: Context = { ...ctx, signal: AbortSignal.any([ctx.signal, stop.signal]) }
  const iterator = items[Symbol.iterator]()
  const finished: R[] = []
  const failures: unknown[] = []
  let wake = (): void => undefined
  let running = 0

  const worker = async (): Promise<void> => {
    running++
    try {
      for (let next = iterator.next(); next.done !== true && !inner.signal.aborted; next = iterator.next()) {
        finished.push(await work(next.value, inner))
        wake()
      }
    } catch (error) {
      failures.push(error)
      stop.abort(error)
    } finally {
      running--
      wake()
    }
  }
  const workers = Array.from({ length: Math.max(1, Math.floor(limit)) }, worker)

  try {
    for (;;) {
      const results = finished.splice(0)
      yield* results
      if (finished.length > 0) continue
      if (running === 0) break
      await new Promise<void>((resolve) => (wake = resolve))
    }
    if (ctx.signal.aborted) throw abortError(ctx.signal.reason)
    if (failures.length > 0) throw failures[0]
  } finally {
    stop.abort(new DOMException('the rest is not wanted any more', 'AbortError'))
    await Promise.all(workers)
  }
}
