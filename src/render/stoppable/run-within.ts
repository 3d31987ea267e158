import { type Context, createContext, Script } from 'node:vm'

let room: { readonly context: Context & { run?: () => void }; readonly script: Script } | undefined

/**
 * Runs a function of this thread and drops it, at whatever instruction it is, when it takes longer than it may; undefined then. What it
 * was changing stays half-changed: only for work that keeps nothing.
 */
export function runWithin<T>(limitMs: number, work: () => T): { readonly value: T } | undefined {
  room ??= { context: createContext({}), script: new Script('run()') }
  let done: { readonly value: T } | undefined
  // A script is all that Node gives a time limit to; what it calls counts, whichever realm that belongs to.
  room.context.run = () => {
    done = { value: work() }
  }
  try {
    room.script.runInContext(room.context, { timeout: limitMs })
    return done
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  } finally {
    delete room.context.run
  }
}
