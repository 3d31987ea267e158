import { isNull, mapNode, type MapNode, type ValueNode, type Values, valuesOf } from './value-tree.ts'

/**
 * Lays values over others: maps merge, everything else replaces. A null takes away what is below it; where nothing is, it stays
 * a null, as in Helm.
 */
export function mergeValues(base: Values, over: Values): Record<string, unknown> {
  const unknown = () => ({ source: 'merged' }) as const
  return valuesOf(coalesce(mapNode(base, unknown), mapNode(over, unknown)))
}

/** Lays the user's values over the defaults: a null takes a default away. */
export function coalesce(base: MapNode, over: MapNode): MapNode {
  return mergeMaps(base, over, (below, above) => isNull(above) && !isNull(below))
}

/** Lays one of the user's inputs over another: a null stays, for it is meant for the defaults as well. */
export function layer(base: MapNode, over: MapNode): MapNode {
  return mergeMaps(base, over, () => false)
}

function mergeMaps(base: MapNode, over: MapNode, deletes: (below: ValueNode, above: ValueNode) => boolean): MapNode {
  const entries = new Map(base.entries)
  for (const [key, above] of over.entries) {
    const below = entries.get(key)
    if (below === undefined) entries.set(key, above)
    else if (deletes(below, above)) entries.delete(key)
    else if (below.kind === 'map' && above.kind === 'map') entries.set(key, mergeMaps(below, above, deletes))
    else entries.set(key, above)
  }
  return { kind: 'map', entries, given: over.given }
}
