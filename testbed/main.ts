import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { context } from '../src/core/index.ts'
import { isAlive } from './file-lock.ts'
import type { HolderMessage } from './holder.ts'
import { forgetRunning, readRunning, type RunningTestbed } from './running-state.ts'
import { type TestbedPart, testbedParts } from './testbed.ts'
import { TestbedError } from './testbed-error.ts'

const usage = `usage: npm run testbed -- up [--with ${testbedParts.join(',')}] | down | status | kubeconfig`

try {
  await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`testbed: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

async function run([command, ...rest]: string[]): Promise<void> {
  switch (command) {
    case 'up':
      return up(wantedParts(rest))
    case 'down':
      return down()
    case 'status':
      return print(await mustRun())
    case 'kubeconfig':
      return void process.stdout.write(`${(await mustRun()).kubeconfig}\n`)
    case undefined:
    default:
      throw new TestbedError(usage)
  }
}

async function up(parts: readonly TestbedPart[]): Promise<void> {
  const running = await readRunning()
  if (running === undefined) return print(await startHolder(parts))
  const missing = parts.filter((part) => !running.with.includes(part))
  if (missing.length === 0) return print(running)
  throw new TestbedError(
    `a testbed without ${missing.join(', ')} is running: end it first with \`npm run testbed -- down\``,
  )
}

async function down(): Promise<void> {
  const running = await readRunning()
  await forgetRunning()
  if (running === undefined) return void process.stderr.write('testbed: none is running\n')
  process.kill(running.pid, 'SIGTERM')
  const { clock } = context()
  const deadline = clock.now() + 30_000
  while (isAlive(running.pid)) {
    if (clock.now() > deadline) throw new TestbedError(`process ${running.pid} did not end within 30 s`)
    await clock.sleep(50)
  }
}

async function startHolder(parts: readonly TestbedPart[]): Promise<RunningTestbed> {
  const holder = fork(fileURLToPath(new URL('./holder.ts', import.meta.url)), [...parts], {
    detached: true,
    // Not inherited: what stays behind must not hold the terminal, or a pipe that somebody reads to its end.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  holder.stderr?.pipe(process.stderr)
  const message = await new Promise<HolderMessage>((resolve, reject) => {
    holder.once('message', resolve)
    holder.once('error', reject)
    holder.once('exit', (code) => reject(new TestbedError(`it ended with code ${code} while starting`)))
  })
  holder.stderr?.destroy()
  holder.unref()
  if ('failed' in message) throw new TestbedError(message.failed)
  return message.ready
}

async function mustRun(): Promise<RunningTestbed> {
  const running = await readRunning()
  if (running === undefined) throw new TestbedError('none is running: start one with `npm run testbed -- up`')
  return running
}

function wantedParts(args: readonly string[]): TestbedPart[] {
  const [flag, list = '', ...more] = args.flatMap((arg) =>
    arg.startsWith('--with=') ? ['--with', arg.slice(7)] : [arg],
  )
  if (flag === undefined) return []
  if (flag !== '--with' || more.length > 0) throw new TestbedError(usage)
  return list.split(',').map((name) => {
    const part = testbedParts.find((known) => known === name)
    if (part === undefined) throw new TestbedError(`there is no part ${name}; there are ${testbedParts.join(', ')}`)
    return part
  })
}

function print(running: RunningTestbed): void {
  const lines = [
    `server      ${running.server}`,
    `kubeconfig  ${running.kubeconfig}`,
    ...(running.registry === undefined ? [] : [`registry    ${running.registry.url}`]),
    ...(running.authRegistry === undefined
      ? []
      : [
          `registry    ${running.authRegistry.url} (user ${running.authRegistry.user}, password ${running.authRegistry.password})`,
        ]),
    ...(running.git === undefined ? [] : [`git         ${running.git.url} (${running.git.folder})`]),
    ...(running.with.includes('flux') ? ['flux        source-controller, kustomize-controller, helm-controller'] : []),
    `process     ${running.pid}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
