import { join } from 'node:path'
import type { BenchContext } from '../benchmark.ts'
import { ladingProgram } from '../measure/node-program.ts'
import type { Command } from '../measure/run-process.ts'
import type { Sample } from '../measure/sample.ts'
import { bareTool, kubectlTool, type Phase, type SetTool, type Step } from './set-tools.ts'

/** The tools that keep releases, after the limit of bare requests, and kubectl, which keeps none. */
export async function openReleaseTools(bench: BenchContext): Promise<SetTool[]> {
  const peers = [await kubectlTool(bench), await helmTool(bench)]
  return [await bareTool(bench), await ladingTool(bench), ...peers.map(upToMany)]
}

/** Other tools take many minutes for more, and only slow down the server for everyone. */
const mostForPeers = 1000

function upToMany(tool: SetTool): SetTool {
  return { ...tool, steps: (phase, set) => (set.size > mostForPeers ? [] : tool.steps(phase, set)) }
}

/** Lading's releases as a program. */
export async function ladingRelease(bench: BenchContext, verb: string, args: readonly string[]): Promise<Command> {
  const { kubeconfig } = await bench.target()
  const common = [`--installed=${await bench.installed()}`, `--kubeconfig=${kubeconfig}`]
  common.push(`--cache-dir=${join(bench.folder, 'lading-cache')}`, `--verb=${verb}`)
  return ladingProgram(bench.folder, 'lading-release', [...common, ...args])
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

interface Way {
  readonly verb: string
  /** What has to come of it, and of every object. */
  readonly outcome: string
  readonly action: string
}

const ways: Readonly<Record<Phase, readonly Way[]>> = {
  install: [{ verb: 'install', outcome: 'deployed', action: 'create' }],
  'no-op': [{ verb: 'upgrade', outcome: 'unchanged', action: 'unchanged' }],
  diff: [
    { verb: 'plan', outcome: 'planned', action: 'update' },
    { verb: 'diff', outcome: 'different', action: 'modified' },
  ],
  upgrade: [{ verb: 'upgrade', outcome: 'deployed', action: 'update' }],
  delete: [{ verb: 'uninstall', outcome: 'uninstalled', action: 'deleted' }],
}

async function ladingTool(bench: BenchContext): Promise<SetTool> {
  const base = await ladingRelease(bench, '', [])
  return {
    peer: false,
    steps: (phase, { manifest, namespace, size }) =>
      ways[phase].map(({ verb, outcome, action }): Step => {
        const args = [...base.args, `--verb=${verb}`, `--manifest=${manifest}`, `--namespace=${namespace}`]
        return {
          what: `Lading ${verb}`,
          command: { ...base, args },
          check: (stdout) => {
            const said = JSON.parse(stdout) as Record<string, unknown>
            if (said['outcome'] !== outcome || said[action] !== size) throw new Error(`${phase}: ${stdout}`)
          },
          inProcess: (stdout) => JSON.parse(stdout) as Sample,
        }
      }),
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
    steps: (phase, { chart, namespace }) => {
      const args = [...words[phase], 'bench', ...(phase === 'delete' ? [] : [chart])]
      const where = base.args.map((arg) => (arg === '--namespace=' ? `--namespace=${namespace}` : arg))
      return [{ what: `helm ${words[phase].join(' ')}`, command: { ...base, args: [...args, ...where] } }]
    },
  }
}
