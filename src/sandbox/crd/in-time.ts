import { createContext, Script } from 'node:vm'

const room: { run: () => void } = createContext({ run: () => undefined }) as { run: () => void }
const script = new Script('run()')

/** Runs something that does not wait, and ends it after a time; says whether it came to its end. */
export function inTime(run: () => void, timeMs: number): boolean {
  room.run = run
  try {
    script.runInContext(room, { timeout: timeMs })
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw error
  } finally {
    room.run = () => undefined
  }
}
