import { isRecord, type KubeObject } from '../../core/index.ts'
import { type CrdNames, crdSpec } from './crd-spec.ts'

/** A name that another definition of the group has already. */
export interface NameConflict {
  readonly field: keyof CrdNames
  /** The reason of the condition that says so. */
  readonly reason: string
  readonly name: string
}

/** The names of a definition that others of its group have. */
export function conflictsOf(crd: KubeObject, all: readonly KubeObject[]): NameConflict[] {
  const { group, names } = crdSpec(crd)
  const others = all.filter((other) => other.metadata.name !== crd.metadata.name && crdSpec(other).group === group)
  const accepted = others.map(acceptedNames)
  const resources = new Set(
    accepted.flatMap(({ plural, singular, shortNames = [] }) => [plural, singular, ...shortNames]),
  )
  const kinds = new Set(accepted.flatMap(({ kind, listKind }) => [kind, listKind]))
  const found: NameConflict[] = []
  const look = (field: keyof CrdNames, name: string | undefined, taken: Set<string | undefined>): void => {
    if (name === undefined || name === '' || !taken.has(name)) return
    found.push({ field, reason: `${field.charAt(0).toUpperCase()}${field.slice(1)}Conflict`, name })
  }
  look('plural', names.plural, resources)
  look('singular', names.singular, resources)
  for (const name of names.shortNames ?? []) look('shortNames', name, resources)
  look('kind', names.kind, kinds)
  look('listKind', names.listKind, kinds)
  return found
}

/** The names that a definition has after a look at others: each that is free, and the old one in place of one that is taken. */
export function namesAfter(crd: KubeObject, conflicts: readonly NameConflict[]): CrdNames {
  const { names } = crdSpec(crd)
  const before = acceptedNames(crd)
  const taken = new Set(conflicts.map(({ field }) => field))
  const result: Record<string, unknown> = {}
  for (const field of ['plural', 'singular', 'shortNames', 'kind', 'listKind', 'categories'] as const) {
    const value = taken.has(field) ? before[field] : names[field]
    if (value !== undefined) result[field] = value
  }
  return { plural: '', kind: '', ...result }
}

/** The names that a definition has got. */
function acceptedNames(crd: KubeObject): CrdNames {
  const status = isRecord(crd['status']) ? crd['status'] : {}
  return isRecord(status['acceptedNames']) ? status['acceptedNames'] : {}
}
