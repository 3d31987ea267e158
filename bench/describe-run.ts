import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'
import { type Context, isRecord } from '../src/core/index.ts'
import packageJson from '../package.json' with { type: 'json' }
import type { Clients, Target } from './benchmark.ts'
import { runProcess } from './measure/run-process.ts'

/** The machine and its state before anything was measured. */
export function describeMachine(): string[] {
  const memory = `${(totalmem() / 1024 ** 3).toFixed(1)} GB`
  const load = loadavg().map((each) => each.toFixed(2))
  return [
    `Date: ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `Machine: ${availableParallelism()} cores, ${memory} memory, ${cpus()[0]?.model ?? 'unknown processor'}, ${type()} ${release()}`,
    `Load when the run started (1, 5, 15 minutes): ${load.join(', ')}`,
  ]
}

/** What was compared. */
export async function describeVersions(clients: Clients, target: Target | undefined, ctx: Context): Promise<string[]> {
  const ask = async (command: string, args: readonly string[]): Promise<string> => {
    const run = await runProcess({ command, args }, ctx.signal)
    return 'failure' in run ? 'unknown' : run.stdout.trim()
  }
  const commit = await ask('git', ['-C', import.meta.dirname, 'describe', '--always', '--dirty'])
  const kubectl = await ask(clients.kubectl, ['version', '--client'])
  const helm = await ask(clients.helm, ['version', '--template', '{{.Version}}'])
  return [
    `Lading ${packageJson.version} (${commit}), Node ${process.version}`,
    `kubectl ${/v[\d.]+\S*/.exec(kubectl)?.[0] ?? kubectl}, helm ${helm}`,
    ...(target === undefined ? [] : [`Kubernetes ${await serverVersion(target, ctx)}`]),
  ]
}

async function serverVersion({ cluster }: Target, ctx: Context): Promise<string> {
  const { body } = await cluster.transport.request({ method: 'GET', path: '/version' }, ctx)
  return isRecord(body) ? String(body['gitVersion']) : 'unknown'
}
