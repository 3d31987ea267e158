import { constants } from 'node:os'
import { readerGone } from './io.ts'
import { main } from './main.ts'
import { watchOutput } from './print/watch-output.ts'

const controller = new AbortController()
let endedBy: NodeJS.Signals | undefined
// The first signal cancels, so that locks are released and nothing stays half-written; the second ends at once.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(name, () => {
    endedBy ??= name
    controller.abort()
  })
}
const lostOutput = watchOutput(process, () => controller.abort(readerGone))

const code = await main(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  cwd: process.cwd(),
  signal: controller.signal,
  lostOutput,
})
// As shells tell it: 130 for an interrupt, 143 for a request to terminate.
process.exitCode = code === 130 && endedBy !== undefined ? 128 + constants.signals[endedBy] : code
