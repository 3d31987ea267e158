import { constants } from 'node:os'
import { readerGone } from './io.ts'
import { main } from './main.ts'

const controller = new AbortController()
let endedBy: NodeJS.Signals | undefined
// The first signal cancels, so that locks are released and nothing stays half-written; the second ends at once.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(name, () => {
    endedBy ??= name
    controller.abort()
  })
}
// Data that nobody reads is not worth going on for; work must not end half-way because nobody looks at its progress.
process.stdout.on('error', (error) => {
  forgiveGoneReader(error)
  controller.abort(readerGone)
})
process.stderr.on('error', forgiveGoneReader)

const code = await main(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  cwd: process.cwd(),
  signal: controller.signal,
})
// As shells tell it: 130 for an interrupt, 143 for a request to terminate.
process.exitCode = code === 130 && endedBy !== undefined ? 128 + constants.signals[endedBy] : code

/** A pipe that was closed, or a terminal that is gone; everything else is a real failure. */
function forgiveGoneReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
}
