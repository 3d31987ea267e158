import type { ObjectMeta } from '../../core/index.ts'

/** What an object must carry to count as ours; every label and annotation named has to match. */
export interface OwnershipGuard {
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  /** Annotations that an object need not have, but must not have with another value: the marks of another tool. */
  readonly noOther?: Readonly<Record<string, string>>
}

/** Why an object is not ours, or undefined when it is. */
export function ownershipMismatch(
  meta: Pick<ObjectMeta, 'labels' | 'annotations'>,
  guard: OwnershipGuard,
): string | undefined {
  const { annotations } = meta
  const named = Object.entries(guard.noOther ?? {}).filter(([key]) => annotations?.[key] !== undefined)
  return (
    mismatch('label', meta.labels, guard.labels) ??
    mismatch('annotation', annotations, guard.annotations) ??
    mismatch('annotation', annotations, Object.fromEntries(named))
  )
}

/** The first that is set wins: Lading's own, Sherpack's, Helm's. */
const resourcePolicyKeys = [
  'lading.dev/resource-policy',
  'sherpack.io/resource-policy',
  'helm.sh/resource-policy',
] as const

/** The annotation that asks to keep an object when its release goes, as `key: keep`, or undefined. */
export function keepPolicy(meta: Pick<ObjectMeta, 'annotations'>): string | undefined {
  for (const key of resourcePolicyKeys) {
    const value: unknown = meta.annotations?.[key]
    if (typeof value === 'string') return value.trim().toLowerCase() === 'keep' ? `${key}: keep` : undefined
  }
  return undefined
}

function mismatch(
  what: 'label' | 'annotation',
  live: Readonly<Record<string, string>> | undefined,
  wanted: Readonly<Record<string, string>> | undefined,
): string | undefined {
  for (const [key, value] of Object.entries(wanted ?? {})) {
    const found = live?.[key]
    if (found === undefined) return `${what} ${key} is missing, expected ${value}`
    if (found !== value) return `${what} ${key} is ${found}, expected ${value}`
  }
  return undefined
}
