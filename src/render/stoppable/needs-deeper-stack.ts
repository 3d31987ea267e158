import { isMainThread } from 'node:worker_threads'

/**
 * Whether work failed because it came to the end of this thread's stack, and a worker has a deeper one. Jobs that return failures
 * as data throw these instead. Told by the class alone, as the message is the engine's own: a text that is too long is begun again
 * too, and fails in the worker as it did here.
 */
export function needsDeeperStack(error: unknown): boolean {
  if (!isMainThread) return false
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof RangeError) return true
  return false
}
