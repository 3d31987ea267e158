import type { KubeObject } from '../../../core/index.ts'
import { partOf, text } from '../../object-parts.ts'

/** What a Pod is made to do; the simulated nodes of the testbed know the same words. */
const behaviours = [
  'pending',
  'unschedulable',
  'image-pull-error',
  'config-error',
  'crash-loop',
  'unready',
  'job-fail',
  'exit-code',
  'hang',
  'slow',
  'never-terminates',
] as const

/** One of the behaviours, or none. */
export type Behaviour = (typeof behaviours)[number] | 'none'

/** How a Pod behaves, read from its label or annotation `lading.dev/simulate` and the annotations beside it. */
export interface Simulation {
  readonly behaviour: Behaviour
  /** How long becoming ready, and completing, is put off. */
  readonly delayMs: number
  /** The exit code of a container that fails. */
  readonly exitCode: number
  /** The container log, when one was given. */
  readonly logs: string | undefined
}

/** Reads what a Pod was asked to do. */
export function simulationOf(pod: KubeObject): Simulation {
  const { labels = {}, annotations = {} } = pod.metadata
  const asked = labels['lading.dev/simulate'] ?? annotations['lading.dev/simulate'] ?? ''
  const behaviour = behaviours.find((known) => known === asked) ?? 'none'
  const seconds = annotations['lading.dev/simulate-seconds'] ?? (behaviour === 'slow' ? '3' : '0')
  const code = Number(annotations['lading.dev/simulate-exit-code'] ?? 1)
  return {
    behaviour,
    delayMs: durationMs(annotations['lading.dev/simulate-delay']) ?? (Number(seconds) * 1000 || 0),
    exitCode: Number.isInteger(code) ? code : 1,
    logs: annotations['lading.dev/simulate-logs'],
  }
}

/** Whether a Pod's containers end by themselves: those that are not to be restarted do. */
export function completes(pod: KubeObject): boolean {
  return ['Never', 'OnFailure'].includes(text(partOf(pod, 'spec')['restartPolicy']))
}

// Go's notation: `1m30s`, `200ms`.
function durationMs(value: string | undefined): number | undefined {
  if (value === undefined || !/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(value)) return undefined
  const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
  let total = 0
  for (const [, amount, unit] of value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    total += Number(amount) * (units[unit ?? ''] ?? 0)
  }
  return total
}
