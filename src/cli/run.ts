import { main } from './main.ts'

const controller = new AbortController()
// The first interrupt cancels, so that locks are released and nothing stays half-written; the second ends at once.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort())

process.exitCode = await main(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  cwd: process.cwd(),
  signal: controller.signal,
})
