import { formatApiVersion, type ObjectRef } from '../../core/index.ts'

/** Objects by the collection they are in: one list or watch of a kind and namespace reaches all of a group. */
export function groupByCollection<T>(items: readonly T[], refOf: (item: T) => ObjectRef): T[][] {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const ref = refOf(item)
    const key = `${formatApiVersion(ref)} ${ref.kind} ${ref.namespace ?? ''}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return [...groups.values()]
}

/** Objects by the watch that they share: each has one of its own, unless more than `ownUpTo` are in the same collection. */
export function groupForWatching<T extends { readonly ref: ObjectRef }>(items: readonly T[], ownUpTo: number): T[][] {
  const groups = groupByCollection(items, ({ ref }) => ref)
  return groups.flatMap((members) => (members.length > ownUpTo ? [members] : members.map((member) => [member])))
}
