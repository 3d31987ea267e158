import { needsDeeperStack } from '../../../render/stoppable/index.ts'

/** What something came to, or how it failed. */
export type Outcome<T> = { readonly value: T } | { readonly error: unknown }

/** Does something that may fail; throws if it needs a deeper stack, which a worker has. */
export function attempt<T>(work: () => T): Outcome<T> {
  try {
    return { value: work() }
  } catch (error) {
    if (needsDeeperStack(error)) throw error
    return { error }
  }
}

/** The value, or throws what it failed with. */
export function valueOf<T>(outcome: Outcome<T>): T {
  if ('error' in outcome) throw outcome.error as Error
  return outcome.value
}
