import type { JobStore } from '../job-store.ts'

/** Waits for the store to change until it is as wanted. */
export async function until(store: JobStore, wanted: () => Promise<boolean>): Promise<void> {
  for (;;) {
    const stop = new AbortController()
    const changed = store.changed(stop.signal)
    if (await wanted()) return stop.abort()
    await changed
  }
}
