import type { NewJob } from '../job.ts'
import type { JobStore } from '../job-store.ts'

/** A job with nothing special, but for what is given. */
export function newJob(job: Partial<NewJob>): NewJob {
  return { type: 'kubernetes-manifest-build', operation: 'build', group: 'shop', plan: {}, timeoutMs: 1e9, ...job }
}

/** Waits for the store to change until it is as wanted. */
export async function until(store: JobStore, wanted: () => Promise<boolean>): Promise<void> {
  for (;;) {
    const stop = new AbortController()
    const changed = store.changed(stop.signal)
    if (await wanted()) return stop.abort()
    await changed
  }
}
