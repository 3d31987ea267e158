import { gvkOf, type KubeObject } from '../../core/index.ts'
import type { DeployOptions } from '../deploy-options.ts'
import type { Wave } from '../plan/waves.ts'

/** What is waited for after a wave was applied. */
export interface WaveWait {
  readonly objects: ReadonlySet<KubeObject>
  /** Of the Jobs among them, those that have to complete; the others only have to start. */
  readonly completing: ReadonlySet<KubeObject>
}

/** Whether an operation waits until everything is ready. */
export function waitsForAll({ wait, atomic, stabilizationMs = 0 }: DeployOptions): boolean {
  return wait === true || atomic === true || stabilizationMs > 0
}

/**
 * What is waited for before the next step begins, or before the operation ends; undefined where nothing is. As with Helm, Jobs only have to
 * start unless `waitForJobs` is set. Where an order is asked for they have to complete: before the next `sync-wave`, and before an object that
 * names them in `wait-for`.
 */
export function waitAfter(waves: readonly Wave[], index: number, options: DeployOptions): WaveWait | undefined {
  const wave = waves[index]
  const next = waves[index + 1]
  const ordered = next !== undefined && options.waveWait !== false
  if (wave === undefined || (!ordered && !waitsForAll(options))) return undefined
  const endsWave = ordered && next.order > wave.order
  // Jobs of earlier steps that nothing waited for by name may still run.
  const steps = endsWave ? waves.filter(({ order }) => order === wave.order) : [wave]
  const objects = new Set(steps.flatMap((step) => step.objects))
  if (options.waitForJobs === true || endsWave) return { objects, completing: objects }
  return { objects, completing: new Set(ordered ? wave.named : []) }
}

/** Whether an object is a Job. */
export function isJob(object: KubeObject): boolean {
  const { group, kind } = gvkOf(object)
  return kind === 'Job' && group === 'batch'
}
