import type { Context } from '../core/index.ts'
import { cancelled } from './registry/wire-error.ts'

/**
 * Runs work over items with at most `limit` in flight and yields results as they finish. Work that throws stops the rest;
 * a consumer that leaves early aborts what is in flight, and nothing runs on after the generator has ended.
 */
export async function* runConcurrently<T, R>(
  items: Iterable<T>,
  limit: number,
  work: (item: T, ctx: Context) => Promise<R>,
  ctx: Context,
): AsyncGenerator<R, void> {
  const stop = new AbortController()
  const inner: Context = { ...ctx, signal: AbortSignal.any([ctx.signal, stop.signal]) }
  const running = new Map<symbol, Promise<{ key: symbol; result: R }>>()
  const iterator = items[Symbol.iterator]()
  try {
    for (let next = iterator.next(); ;) {
      while (running.size < Math.max(1, limit) && next.done !== true) {
        const key = Symbol('work')
        running.set(
          key,
          work(next.value, inner).then((result) => ({ key, result })),
        )
        next = iterator.next()
      }
      if (running.size === 0) return
      if (ctx.signal.aborted) throw cancelled(ctx.signal.reason)
      const { key, result } = await Promise.race(running.values())
      running.delete(key)
      yield result
    }
  } finally {
    stop.abort(new DOMException('the rest is not wanted any more', 'AbortError'))
    await Promise.allSettled(running.values())
  }
}
