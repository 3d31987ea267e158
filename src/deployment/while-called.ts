import type { Context } from '../core/index.ts'

/** Waits for shared work, but no longer than this caller wants to. */
export async function whileCalled<Value>(work: Promise<Value>, { signal }: Context): Promise<Value> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
