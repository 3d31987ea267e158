import type { KubeObject } from '../../../core/index.ts'
import { number, partOf, text } from '../../object-parts.ts'

/** How many Pods a Deployment wants, and how far a rollout may stray from that. */
export interface Bounds {
  readonly replicas: number
  readonly maxSurge: number
  readonly maxUnavailable: number
}

/** Reads the bounds of a Deployment, percentages worked out: surge rounds up, unavailability down. */
export function boundsOf(deployment: KubeObject): Bounds {
  const spec = partOf(deployment, 'spec')
  const replicas = number(spec['replicas'], 1)
  const strategy = partOf(spec, 'strategy')
  if (strategy['type'] === 'Recreate') return { replicas, maxSurge: 0, maxUnavailable: 0 }
  const rolling = partOf(strategy, 'rollingUpdate')
  const maxSurge = scaled(rolling['maxSurge'] ?? '25%', replicas, Math.ceil)
  const maxUnavailable = scaled(rolling['maxUnavailable'] ?? '25%', replicas, Math.floor)
  // Both nothing would never move.
  const least = maxSurge === 0 && maxUnavailable === 0 ? 1 : maxUnavailable
  return { replicas, maxSurge, maxUnavailable: Math.min(least, replicas) }
}

/** A number, or a percentage of a total. */
export function scaled(value: unknown, total: number, round: (value: number) => number): number {
  if (typeof value === 'number') return value
  const percent = /^(\d+)%$/.exec(text(value))
  return percent === null ? Number(value) || 0 : round((Number(percent[1]) * total) / 100)
}

/** How many replicas a ReplicaSet asks for. */
export function desiredOf(set: KubeObject): number {
  return number(partOf(set, 'spec')['replicas'], 1)
}

/** How many of a ReplicaSet's Pods are available. */
export function availableOf(set: KubeObject): number {
  return number(partOf(set, 'status')['availableReplicas'], 0)
}

/** The size that the new ReplicaSet may have now. */
export function newSetSize(bounds: Bounds, all: readonly KubeObject[], current: number): number {
  if (current >= bounds.replicas) return bounds.replicas
  const room = bounds.replicas + bounds.maxSurge - sum(all, desiredOf)
  return room <= 0 ? current : current + Math.min(room, bounds.replicas - current)
}

/** The sizes that the old ReplicaSets may have now: what is broken goes first, then what availability allows. */
export function oldSetSizes(
  bounds: Bounds,
  newSet: KubeObject,
  old: readonly KubeObject[],
): ReadonlyMap<KubeObject, number> {
  const sizes = new Map(old.map((set) => [set, desiredOf(set)]))
  const all = [...old, newSet]
  const minAvailable = bounds.replicas - bounds.maxUnavailable
  const newUnavailable = desiredOf(newSet) - availableOf(newSet)
  let spare = sum(all, desiredOf) - minAvailable - newUnavailable
  if (spare <= 0) return sizes
  for (const set of old) {
    const broken = Math.max(0, Math.min(spare, desiredOf(set) - availableOf(set)))
    sizes.set(set, desiredOf(set) - broken)
    spare -= broken
  }
  // A status from before the last scale-down counts Pods that are already on their way out.
  const staying = (set: KubeObject): number => Math.min(availableOf(set), desiredOf(set))
  let surplus = sum(all, staying) - minAvailable
  for (const set of old) {
    const size = sizes.get(set) ?? 0
    const fewer = Math.max(0, Math.min(surplus, size))
    sizes.set(set, size - fewer)
    surplus -= fewer
  }
  return sizes
}

/** Spreads a change of `spec.replicas` over the ReplicaSets of a rollout in proportion to their sizes. */
export function proportionalSizes(
  bounds: Bounds,
  sets: readonly KubeObject[],
  maxReplicas: (set: KubeObject) => number,
): ReadonlyMap<KubeObject, number> {
  const allowed = bounds.replicas > 0 ? bounds.replicas + bounds.maxSurge : 0
  const toAdd = allowed - sum(sets, desiredOf)
  // Growing starts at the newest of the largest, shrinking at the oldest.
  const newestFirst = toAdd > 0 ? 1 : -1
  const sorted = [...sets].sort(
    (a, b) =>
      desiredOf(b) - desiredOf(a) || newestFirst * (Number(b.metadata.uid === a.metadata.uid) || age(a) - age(b)),
  )
  const sizes = new Map<KubeObject, number>()
  let added = 0
  for (const set of sorted) {
    const share = Math.round(
      (desiredOf(set) * (bounds.replicas + bounds.maxSurge)) / (maxReplicas(set) || allowed || 1),
    )
    const wanted = share - desiredOf(set)
    const left = toAdd - added
    const change = toAdd > 0 ? Math.max(0, Math.min(wanted, left)) : Math.min(0, Math.max(wanted, left))
    sizes.set(set, desiredOf(set) + (toAdd === 0 ? 0 : change))
    added += toAdd === 0 ? 0 : change
  }
  const [largest] = sorted
  if (largest !== undefined) sizes.set(largest, Math.max(0, (sizes.get(largest) ?? 0) + toAdd - added))
  return sizes
}

/** The sum of a number over objects. */
export function sum(objects: readonly KubeObject[], count: (object: KubeObject) => number): number {
  return objects.reduce((total, object) => total + count(object), 0)
}

function age(set: KubeObject): number {
  return -Date.parse(set.metadata.creationTimestamp ?? '')
}
