import { join } from 'node:path'
import type { SetSummary } from '../../src/kube/index.ts'
import { bareTarget } from '../bare/bare-target.ts'
import type { BenchContext } from '../benchmark.ts'
import type { WrittenSet } from '../fixtures/write-set.ts'
import { benchProgram } from '../measure/node-program.ts'
import type { Command } from '../measure/run-process.ts'

/** What is done with a set, in this order. */
export const phases = ['install', 'no-op', 'diff', 'upgrade', 'delete'] as const

/** One thing that is done with a set. */
export type Phase = (typeof phases)[number]

/** A program that brings sets of objects to a cluster. */
export interface SetTool {
  /** Whether it is somebody else's. */
  readonly peer: boolean
  /** How it does one thing; undefined where it has no such thing. */
  step(phase: Phase, set: PlacedSet): Step | undefined
}

/** A command, its row in the table, and whether what it printed is what was to happen. */
export interface Step {
  readonly what: string
  readonly command: Command
  readonly check?: (stdout: string) => void
}

interface PlacedSet extends WrittenSet {
  readonly namespace: string
  /** How many objects it has. */
  readonly size: number
}

/** Every tool, the limit first. */
export async function openSetTools(bench: BenchContext): Promise<SetTool[]> {
  return [await bareTool(bench), await ladingTool(bench, false), await ladingTool(bench, true), ...(await peers(bench))]
}

const verbs = { install: 'apply', 'no-op': 'apply', diff: 'dry-run', upgrade: 'apply', delete: 'delete' } as const

/** The limit: nothing but the requests. */
export async function bareTool(bench: BenchContext): Promise<SetTool> {
  const target = await bareTarget((await bench.target()).connection, bench.ctx)
  return {
    peer: false,
    step: (phase, { json, namespace }) => ({
      what: `bare undici, 32 ${phase === 'delete' ? 'DELETE' : 'PATCH'} in flight`,
      command: {
        ...benchProgram(bench.folder, 'bare-set'),
        stdin: JSON.stringify({ target, verb: verbs[phase], json, namespace }),
      },
    }),
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
    step: (phase, { manifest, namespace, size }) => {
      const hasPreflight = phase !== 'diff' && phase !== 'delete'
      if (!preflight && !hasPreflight) return undefined
      const args = [...common, `--manifest=${manifest}`, `--namespace=${namespace}`, `--verb=${verbs[phase]}`]
      return {
        what: hasPreflight ? `Lading applySet${preflight ? '' : ', no preflight'}` : names[phase],
        command: benchProgram(bench.folder, 'lading-set', preflight ? args : [...args, '--no-preflight']),
        check: (stdout) => {
          const summary = JSON.parse(stdout) as SetSummary
          if (summary[actions[phase]] !== size) throw new Error(`${phase}: ${stdout} for ${size} objects`)
        },
      }
    },
  }
}

async function peers(bench: BenchContext): Promise<SetTool[]> {
  const { kubeconfig } = await bench.target()
  const { kubectl, helm } = bench.clients
  const at = (namespace: string): string[] => [`--kubeconfig=${kubeconfig}`, `--namespace=${namespace}`]
  const kubectlCache = `--cache-dir=${join(bench.folder, 'kubectl-cache')}`
  const helmHome = join(bench.folder, 'helm')
  const env = {
    HELM_CACHE_HOME: join(helmHome, 'cache'),
    HELM_CONFIG_HOME: join(helmHome, 'config'),
    HELM_DATA_HOME: join(helmHome, 'data'),
  }
  const kubectlVerb = (phase: Phase, size: number): string[] => {
    if (phase === 'delete') return size <= mostWaitedFor ? ['delete'] : ['delete', '--wait=false']
    return [phase === 'diff' ? 'diff' : 'apply', '--server-side']
  }
  const helmVerbs = { install: 'install', 'no-op': 'upgrade', upgrade: 'upgrade', delete: 'uninstall' }
  return [
    {
      peer: true,
      step: (phase, { manifest, namespace, size }) => {
        const verb = kubectlVerb(phase, size)
        const args = [...verb, '-f', manifest, kubectlCache, ...at(namespace)]
        // diff says by exit code 1 that there are differences.
        const command = { command: kubectl, args, okCodes: [phase === 'diff' ? 1 : 0] }
        return { what: `kubectl ${verb.join(' ')}`, command, ...(phase === 'diff' && { check: showsChange }) }
      },
    },
    {
      peer: true,
      step: (phase, { chart, namespace }) => {
        // Helm itself has no diff.
        if (phase === 'diff') return undefined
        const args = [helmVerbs[phase], 'bench', ...(phase === 'delete' ? [] : [chart]), ...at(namespace)]
        return { what: `helm ${helmVerbs[phase]}`, command: { command: helm, args, env } }
      },
    },
  ]
}

// By default kubectl waits for objects to be gone, one after the other and five requests each second: 1000 take minutes.
const mostWaitedFor = 200

function showsChange(stdout: string): void {
  if (!stdout.includes('bench.lading.dev/revision: "2"')) throw new Error(`kubectl diff: ${stdout.slice(-200)}`)
}
