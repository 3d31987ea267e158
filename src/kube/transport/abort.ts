import { cancelled } from './wire-error.ts'

/** Waits for shared work without being held by it: rejects as soon as this caller's own signal aborts. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(cancelled(signal.reason))
    const onAbort = (): void => reject(cancelled(signal.reason))
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
