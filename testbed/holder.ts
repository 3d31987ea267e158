import { forgetRunning, describeTestbed, type RunningTestbed, writeRunning } from './running-state.ts'
import { startTestbed, type TestbedPart, testbedParts } from './testbed.ts'

/*
 * The process that `up` leaves behind: it holds a testbed until it is told to end. Its parent gets what it says while starting.
 */

/** What the holder tells `up`. */
export type HolderMessage = { ready: RunningTestbed } | { failed: string }

const parts = process.argv.slice(2).filter((part): part is TestbedPart => testbedParts.some((known) => known === part))
const told = new Promise<void>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve())
})

// Nobody reads it any more once `up` has returned.
process.stderr.on('error', () => undefined)

try {
  const testbed = await startTestbed({ with: parts })
  const state = describeTestbed(testbed, parts)
  await writeRunning(state)
  tell({ ready: state })
  // The supervisor does not keep this process alive, so something has to.
  const alive = setTimeout(() => undefined, 2 ** 31 - 1)
  await told
  clearTimeout(alive)
  await testbed.stop()
  await forgetRunning()
} catch (error) {
  tell({ failed: error instanceof Error ? error.message : String(error) })
  process.exitCode = 1
}

function tell(message: HolderMessage): void {
  process.send?.(message, () => process.disconnect())
}
