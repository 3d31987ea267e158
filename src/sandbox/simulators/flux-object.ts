import { createHash } from 'node:crypto'
import { defined, type KubeObject, stringifyJson } from '../../core/index.ts'
import { timestamp } from '../backend.ts'
import {
  type Condition,
  conditionOf,
  conditionsOf,
  replaceCondition,
  withoutCondition,
} from '../controllers/conditions.ts'
import type { ControllerEnv, Key } from '../controllers/controller.ts'
import { simulationOf } from '../controllers/pods/simulation.ts'
import { setMetadata, setStatus } from '../controllers/writes.ts'
import { partOf, text } from '../object-parts.ts'

const simulate = 'lading.dev/simulate'

/** What a reconciliation came to. */
export interface Result {
  readonly ready: boolean
  readonly reason: string
  readonly message: string
  /** Conditions beside Ready. */
  readonly beside?: readonly Condition[]
  /** Fields of the status that it sets. */
  readonly status?: Record<string, unknown>
}

/**
 * Reconciles a Flux object as its controller would: suspended objects are left alone, one that is asked to hang keeps
 * reconciling, one that is asked to fail fails, all others get what `work` says.
 */
export function reconcileFlux(
  manager: string,
  object: KubeObject,
  key: Key,
  env: ControllerEnv,
  work: () => Result,
): void {
  if (object.metadata.deletionTimestamp !== undefined) {
    const finalizers = (object.metadata.finalizers ?? []).filter((name) => name !== 'finalizers.fluxcd.io')
    setMetadata(env.backend, manager, object, { finalizers })
    return
  }
  if (partOf(object, 'spec')['suspend'] === true) return
  const annotations = object.metadata.annotations ?? {}
  const asked = annotations[simulate]
  const { delayMs } = simulationOf(object)
  if (asked === 'hang' || (delayMs > 0 && isNews(object))) {
    const waiting = beginning(object, manager, env)
    const since = Date.parse(text(conditionOf(waiting, 'Reconciling')?.['lastTransitionTime']))
    const left = since + delayMs - env.backend.clock.now()
    if (asked === 'hang') return
    if (left > 0) {
      env.after(left, key)
      return
    }
  }
  const message = annotations[`${simulate}-message`] ?? 'simulated failure'
  const failed = asked === 'fail' || asked === 'stalled'
  const result = failed
    ? { ready: false, reason: asked === 'fail' ? 'ReconciliationFailed' : 'Stalled', message }
    : work()
  finish(object, manager, result, asked === 'stalled', env)
}

/** A digest in the form of OCI. */
export function digestOf(value: unknown): string {
  return `sha256:${createHash('sha256').update(stringifyJson(value)).digest('hex')}`
}

/** Whether Flux would have something to do: a new generation, or a token that was not handled. */
function isNews(object: KubeObject): boolean {
  const { observedGeneration, lastHandledReconcileAt } = partOf(object, 'status')
  const requested = object.metadata.annotations?.['reconcile.fluxcd.io/requestedAt']
  const handled = requested === undefined || requested === lastHandledReconcileAt
  return observedGeneration !== object.metadata.generation || !handled
}

function beginning(object: KubeObject, manager: string, env: ControllerEnv): KubeObject {
  const now = timestamp(env.backend.clock)
  const common = { observedGeneration: object.metadata.generation ?? 1, reason: 'Progressing' }
  const message = 'reconciliation in progress'
  let conditions = replaceCondition(
    conditionsOf(object),
    { type: 'Reconciling', status: 'True', ...common, message },
    now,
  )
  conditions = replaceCondition(conditions, { type: 'Ready', status: 'Unknown', ...common, message }, now)
  return setStatus(env.backend, manager, object, { ...partOf(object, 'status'), conditions })
}

function finish(object: KubeObject, manager: string, result: Result, stalled: boolean, env: ControllerEnv): void {
  const now = timestamp(env.backend.clock)
  const { generation = 1, annotations = {} } = object.metadata
  const { ready, reason, message } = result
  let conditions = withoutCondition(withoutCondition(conditionsOf(object), 'Reconciling'), 'Stalled')
  const set = (condition: Condition): void => {
    conditions = replaceCondition(conditions, { observedGeneration: generation, ...condition }, now)
  }
  set({ type: 'Ready', status: ready ? 'True' : 'False', reason, message })
  for (const condition of result.beside ?? []) set(condition)
  // What may still come right is retried; what cannot is stalled.
  if (!ready && stalled) set({ type: 'Stalled', status: 'True', reason, message })
  else if (!ready) set({ type: 'Reconciling', status: 'True', reason: 'ProgressingWithRetry', message: 'retrying' })
  setStatus(
    env.backend,
    manager,
    object,
    defined({
      ...partOf(object, 'status'),
      ...result.status,
      conditions,
      observedGeneration: ready || stalled ? generation : (partOf(object, 'status')['observedGeneration'] ?? -1),
      lastHandledReconcileAt:
        annotations['reconcile.fluxcd.io/requestedAt'] ?? partOf(object, 'status')['lastHandledReconcileAt'],
    }),
  )
}
