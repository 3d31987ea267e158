import { join } from 'node:path'
import type { BenchContext } from '../benchmark.ts'
import { benchProgram } from '../measure/node-program.ts'
import type { Command } from '../measure/run-process.ts'
import { bareTool, type Phase, type SetTool } from './set-tools.ts'

/** The tools that keep releases, after the limit of bare requests. */
export async function openReleaseTools(bench: BenchContext): Promise<SetTool[]> {
  return [await bareTool(bench), await ladingTool(bench), await helmTool(bench)]
}

/** Lading's releases as a program. */
export async function ladingRelease(bench: BenchContext, verb: string, args: readonly string[]): Promise<Command> {
  const { kubeconfig } = await bench.target()
  const common = [`--installed=${await bench.installed()}`, `--kubeconfig=${kubeconfig}`]
  common.push(`--cache-dir=${join(bench.folder, 'lading-cache')}`, `--verb=${verb}`)
  return benchProgram(bench.folder, 'lading-release', [...common, ...args])
}

/** The real helm in a namespace. */
export async function helmCommand(bench: BenchContext, namespace: string, args: readonly string[]): Promise<Command> {
  const { kubeconfig } = await bench.target()
  const home = join(bench.folder, 'helm')
  const env = {
    HELM_CACHE_HOME: join(home, 'cache'),
    HELM_CONFIG_HOME: join(home, 'config'),
    HELM_DATA_HOME: join(home, 'data'),
  }
  return {
    command: bench.clients.helm,
    args: [...args, `--kubeconfig=${kubeconfig}`, `--namespace=${namespace}`],
    env,
  }
}

const verbs = { install: 'install', 'no-op': 'upgrade', diff: 'plan', upgrade: 'upgrade', delete: 'uninstall' } as const

const outcomes: Readonly<Record<Phase, readonly [outcome: string, action: string]>> = {
  install: ['deployed', 'create'],
  'no-op': ['unchanged', 'unchanged'],
  diff: ['planned', 'update'],
  upgrade: ['deployed', 'update'],
  delete: ['uninstalled', 'deleted'],
}

async function ladingTool(bench: BenchContext): Promise<SetTool> {
  const commands = new Map<Phase, Command>()
  for (const [phase, verb] of Object.entries(verbs)) commands.set(phase as Phase, await ladingRelease(bench, verb, []))
  return {
    peer: false,
    step: (phase, { manifest, namespace, size }) => {
      const command = commands.get(phase)
      if (command === undefined) return undefined
      const args = [...command.args, `--manifest=${manifest}`, `--namespace=${namespace}`]
      return {
        what: `Lading ${verbs[phase]}`,
        command: { ...command, args },
        check: (stdout) => {
          const [outcome, action] = outcomes[phase]
          const said = JSON.parse(stdout) as Record<string, unknown>
          if (said['outcome'] !== outcome || said[action] !== size) throw new Error(`${phase}: ${stdout}`)
        },
      }
    },
  }
}

async function helmTool(bench: BenchContext): Promise<SetTool> {
  const base = await helmCommand(bench, '', [])
  const words: Readonly<Record<Phase, readonly string[]>> = {
    install: ['install'],
    'no-op': ['upgrade'],
    diff: ['upgrade', '--dry-run=server'],
    upgrade: ['upgrade'],
    delete: ['uninstall'],
  }
  return {
    peer: true,
    step: (phase, { chart, namespace }) => {
      const args = [...words[phase], 'bench', ...(phase === 'delete' ? [] : [chart])]
      const where = base.args.map((arg) => (arg === '--namespace=' ? `--namespace=${namespace}` : arg))
      return { what: `helm ${words[phase].join(' ')}`, command: { ...base, args: [...args, ...where] } }
    },
  }
}
