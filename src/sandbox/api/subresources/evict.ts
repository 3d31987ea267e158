import { isRecord, type KubeObject, stringifyJson } from '../../../core/index.ts'
import { type Backend, timestamp, type WriteOptions } from '../../backend.ts'
import { selects } from '../../kinds/check-selector.ts'
import { badRequest, StatusError } from '../../status-error.ts'
import { checkPreconditions, removeObject } from '../write/delete.ts'
import { readDeleteOptions } from '../write/delete-options.ts'
import type { ApiRequest } from '../handle.ts'
import { stored } from '../write/update.ts'

const budgets = 'policy/poddisruptionbudgets'

/** Deletes a Pod if its disruption budget allows it. */
export function evict(backend: Backend, { info, body }: ApiRequest, options: WriteOptions): void {
  const eviction = isRecord(body) ? body : {}
  checkEviction(eviction, info.name ?? '')
  const asked = readDeleteOptions(eviction['deleteOptions'] ?? {}, new URLSearchParams())
  const dryRun = asked.dryRun || options.dryRun
  const pod = stored(backend, info)
  checkPreconditions(info.type, pod, asked)
  const { resourceVersion: _, ...rest } = asked
  const budget = isDisrupted(pod) ? undefined : budgetOf(backend, pod)
  if (budget !== undefined) spend(backend, budget, pod, dryRun)
  const target = dryRun ? pod : backend.store.put(info.type.collection, withTarget(pod, timestamp(backend.clock)))
  removeObject(backend, info.type, target, { ...rest, dryRun })
}

function checkEviction({ kind = 'Eviction', metadata }: Record<string, unknown>, pod: string): void {
  if (kind !== 'Eviction') throw badRequest(`no kind ${stringifyJson(kind)} is registered for an eviction`)
  const name = isRecord(metadata) ? metadata['name'] : undefined
  if (name !== pod) throw badRequest('name in URL does not match name in Eviction object')
}

/** A Pod that does not run, or is on its way out, is no disruption any more. */
function isDisrupted(pod: KubeObject): boolean {
  const { phase } = statusOf(pod)
  return (
    phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending' || pod.metadata.deletionTimestamp !== undefined
  )
}

function budgetOf(backend: Backend, pod: KubeObject): KubeObject | undefined {
  const found = backend.store.list(budgets, pod.metadata.namespace).filter(({ spec }) => {
    const selector = isRecord(spec) ? spec['selector'] : undefined
    return isRecord(selector) && selects(selector, pod.metadata.labels ?? {}) === true
  })
  if (found.length <= 1) return found[0]
  const message = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'
  throw new StatusError(500, '', message)
}

/** Takes one disruption off the budget, or refuses the eviction. */
function spend(backend: Backend, budget: KubeObject, pod: KubeObject, dryRun: boolean): void {
  const status = statusOf(budget)
  const {
    disruptionsAllowed = 0,
    currentHealthy = 0,
    desiredHealthy = 0,
    observedGeneration = 0,
  } = status as {
    readonly [field: string]: number | undefined
  }
  if (!isReady(pod) && allowsUnready(budget, currentHealthy, desiredHealthy)) return
  const { name, generation = 0 } = budget.metadata
  if (observedGeneration < generation) {
    throw refused(`The disruption budget ${name} is still being processed by the server.`, 10)
  }
  if (disruptionsAllowed === 0) {
    const needed = `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
    const plain = `The disruption budget ${name} does not allow evicting pods currently`
    throw refused(currentHealthy <= desiredHealthy ? needed : plain)
  }
  if (dryRun) return
  backend.store.put(budgets, { ...budget, status: { ...status, disruptionsAllowed: disruptionsAllowed - 1 } })
}

function allowsUnready(budget: KubeObject, healthy: number, desired: number): boolean {
  const spec = isRecord(budget['spec']) ? budget['spec'] : {}
  return spec['unhealthyPodEvictionPolicy'] === 'AlwaysAllow' || (healthy >= desired && desired > 0)
}

function refused(why: string, retryAfterSeconds?: number): StatusError {
  const message = "Cannot evict pod as it would violate the pod's disruption budget."
  const causes = [{ reason: 'DisruptionBudget', message: why }]
  const later = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
  return new StatusError(429, 'TooManyRequests', message, { causes, ...later })
}

function withTarget(pod: KubeObject, now: string): KubeObject {
  const status = statusOf(pod)
  const others = conditionsOf(pod).filter(({ type }) => type !== 'DisruptionTarget')
  const target = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: now,
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  }
  return { ...pod, status: { ...status, conditions: [...others, target] } }
}

function isReady(pod: KubeObject): boolean {
  return conditionsOf(pod).some(({ type, status }) => type === 'Ready' && status === 'True')
}

function conditionsOf(pod: KubeObject): Record<string, unknown>[] {
  const { conditions } = statusOf(pod)
  return Array.isArray(conditions) ? conditions.filter(isRecord) : []
}

function statusOf({ status }: KubeObject): Record<string, unknown> {
  return isRecord(status) ? status : {}
}
