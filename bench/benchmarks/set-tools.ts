import { join } from 'node:path'
import type { SetSummary } from '../../src/kube/index.ts'
import { bareTarget } from '../bare/bare-target.ts'
import type { BenchContext } from '../benchmark.ts'
import type { WrittenSet } from '../fixtures/write-set.ts'
import { benchProgram, ladingProgram } from '../measure/node-program.ts'
import type { Command } from '../measure/run-process.ts'
import type { Sample } from '../measure/sample.ts'

/** What is done with a set, in this order. */
export const phases = ['install', 'no-op', 'diff', 'upgrade', 'delete'] as const

/** One thing that is done with a set. */
export type Phase = (typeof phases)[number]

/** A program that brings sets of objects to a cluster. */
export interface SetTool {
  /** Whether it is somebody else's. */
  readonly peer: boolean
  /** The ways in which it does one thing; none where it has no such thing. */
  steps(phase: Phase, set: PlacedSet): readonly Step[]
}

/** A command, its row in the table, and whether what it printed is what was to happen. */
export interface Step {
  readonly what: string
  readonly command: Command
  readonly check?: (stdout: string) => void
  /** What the program measured of itself: the work alone, without its start. */
  readonly inProcess?: (stdout: string) => Sample
}

interface PlacedSet extends WrittenSet {
  readonly namespace: string
  /** How many objects it has. */
  readonly size: number
}

/** Every tool, the limit first. */
export async function openSetTools(bench: BenchContext): Promise<SetTool[]> {
  const own = [await bareTool(bench), await ladingTool(bench, false), await ladingTool(bench, true)]
  return [...own, await kubectlTool(bench), await helmTool(bench)]
}

const verbs = { install: 'apply', 'no-op': 'apply', diff: 'dry-run', upgrade: 'apply', delete: 'delete' } as const

/** The limit: nothing but the requests. */
export async function bareTool(bench: BenchContext): Promise<SetTool> {
  const target = await bareTarget((await bench.target()).connection, bench.ctx)
  return {
    peer: false,
    steps: (phase, { json, namespace }) => [
      {
        what: `bare undici, 32 ${phase === 'delete' ? 'DELETE' : 'PATCH'} in flight`,
        command: {
          ...benchProgram(bench.folder, 'bare-set'),
          stdin: JSON.stringify({ target, verb: verbs[phase], json, namespace }),
        },
        inProcess: (stdout) => JSON.parse(stdout) as Sample,
      },
    ],
  }
}

async function ladingTool(bench: BenchContext, preflight: boolean): Promise<SetTool> {
  const { kubeconfig } = await bench.target()
  const common = [`--installed=${await bench.installed()}`, `--kubeconfig=${kubeconfig}`]
  common.push(`--cache-dir=${join(bench.folder, 'lading-cache')}`)
  const actions = {
    install: 'created',
    'no-op': 'unchanged',
    diff: 'configured',
    upgrade: 'configured',
    delete: 'deleted',
  } as const
  const names = { diff: 'Lading applySet, dry run', delete: 'Lading deleteSet' }
  return {
    peer: false,
    steps: (phase, { manifest, namespace, size }) => {
      const hasPreflight = phase !== 'diff' && phase !== 'delete'
      if (!preflight && !hasPreflight) return []
      const args = [...common, `--manifest=${manifest}`, `--namespace=${namespace}`, `--verb=${verbs[phase]}`]
      const check = (stdout: string): void => {
        const summary = JSON.parse(stdout) as SetSummary
        if (summary[actions[phase]] !== size) throw new Error(`${phase}: ${stdout} for ${size} objects`)
      }
      const command = ladingProgram(bench.folder, 'lading-set', preflight ? args : [...args, '--no-preflight'])
      return [
        { what: hasPreflight ? `Lading applySet${preflight ? '' : ', no preflight'}` : names[phase], command, check },
      ]
    },
  }
}

/** The real kubectl, which keeps no releases. */
export async function kubectlTool(bench: BenchContext): Promise<SetTool> {
  const { kubeconfig } = await bench.target()
  const kubectlCache = `--cache-dir=${join(bench.folder, 'kubectl-cache')}`
  const kubectlVerb = (phase: Phase, size: number): string[] => {
    if (phase === 'delete') return size <= mostWaitedFor ? ['delete'] : ['delete', '--wait=false']
    return [phase === 'diff' ? 'diff' : 'apply', '--server-side']
  }
  return {
    peer: true,
    steps: (phase, { manifest, namespace, size }) => {
      const verb = kubectlVerb(phase, size)
      const args = [...verb, '-f', manifest, kubectlCache, `--kubeconfig=${kubeconfig}`, `--namespace=${namespace}`]
      // diff says by exit code 1 that there are differences.
      const command = { command: bench.clients.kubectl, args, okCodes: [phase === 'diff' ? 1 : 0] }
      return [{ what: `kubectl ${verb.join(' ')}`, command, ...(phase === 'diff' && { check: showsChange }) }]
    },
  }
}

async function helmTool(bench: BenchContext): Promise<SetTool> {
  const { kubeconfig } = await bench.target()
  const { helm } = bench.clients
  const helmHome = join(bench.folder, 'helm')
  const env = {
    HELM_CACHE_HOME: join(helmHome, 'cache'),
    HELM_CONFIG_HOME: join(helmHome, 'config'),
    HELM_DATA_HOME: join(helmHome, 'data'),
  }
  const helmVerbs = { install: 'install', 'no-op': 'upgrade', upgrade: 'upgrade', delete: 'uninstall' }
  return {
    peer: true,
    steps: (phase, { chart, namespace }) => {
      // Helm itself has no diff.
      if (phase === 'diff') return []
      const at = [`--kubeconfig=${kubeconfig}`, `--namespace=${namespace}`]
      const args = [helmVerbs[phase], 'bench', ...(phase === 'delete' ? [] : [chart]), ...at]
      return [{ what: `helm ${helmVerbs[phase]}`, command: { command: helm, args, env } }]
    },
  }
}

// By default kubectl waits for objects to be gone, one after the other and five requests each second: 1000 take minutes.
const mostWaitedFor = 200

function showsChange(stdout: string): void {
  if (!stdout.includes('bench.lading.dev/revision: "2"')) throw new Error(`kubectl diff: ${stdout.slice(-200)}`)
}
