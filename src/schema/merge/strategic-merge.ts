import { isRecord, LadingError, stringifyJson } from '../../core/index.ts'
import type { SchemaNode } from '../kinds/schema-node.ts'
import { type ItemMerge, mergeList, orderList, withoutDirectives } from './strategic-lists.ts'

const elementOrder = '$setElementOrder/'
const deleteFromList = '$deleteFromPrimitiveList/'

/**
 * Applies a strategic merge patch: maps merge, lists merge where the type has a patch strategy for them and are replaced
 * where it has none, null removes, and directives (`$patch`, `$retainKeys`, `$setElementOrder/…`,
 * `$deleteFromPrimitiveList/…`) are followed as the API server follows them. Without a type every list is replaced. The given
 * values stay as they are; a patch that contradicts itself throws `patch.invalid`.
 */
export function strategicMerge(
  target: Record<string, unknown>,
  patch: Record<string, unknown>,
  node: SchemaNode | undefined,
): Record<string, unknown> {
  return mergeMap(target, patch, node)
}

const mergeMap: ItemMerge = (target, patch, node) => {
  switch (patch['$patch']) {
    case 'replace':
      return withoutDirectives(patch) as Record<string, unknown>
    case 'delete':
      return {}
    case undefined:
    case 'merge':
      return mergeFields(retained(target, patch), patch, node)
    default:
      throw new LadingError('patch.invalid', `there is no $patch directive ${stringifyJson(patch['$patch'])}`)
  }
}

function mergeFields(
  target: Record<string, unknown>,
  patch: Record<string, unknown>,
  node: SchemaNode | undefined,
): Record<string, unknown> {
  const merged = new Map(Object.entries(target))
  const ordered = mergeOrdered(merged, patch, node)
  for (const [key, value] of Object.entries(patch)) {
    if (key === '$patch' || key === '$retainKeys' || key.startsWith(elementOrder) || ordered.has(key)) continue
    if (key.startsWith(deleteFromList)) {
      const name = key.slice(deleteFromList.length)
      const list = merged.get(name)
      if (Array.isArray(list)) merged.set(name, without(list, value, key))
    } else if (value === null) merged.delete(key)
    else merged.set(key, mergeValue(merged.get(key), value, node?.field(key)))
  }
  return Object.fromEntries(merged)
}

function mergeValue(target: unknown, patch: unknown, node: SchemaNode | undefined): unknown {
  if (isRecord(target) && isRecord(patch)) {
    return node?.patchStrategy.includes('replace') ? withoutDirectives(patch) : mergeMap(target, patch, node)
  }
  const merges = node?.patchStrategy.includes('merge') === true
  if (Array.isArray(target) && Array.isArray(patch) && merges) return mergeList(target, patch, node, mergeMap)
  return withoutDirectives(patch)
}

/** Merges the lists whose order the patch sets, and says which those are. */
function mergeOrdered(
  merged: Map<string, unknown>,
  patch: Record<string, unknown>,
  node: SchemaNode | undefined,
): Set<string> {
  const done = new Set<string>()
  for (const [key, order] of Object.entries(patch)) {
    if (!key.startsWith(elementOrder)) continue
    const name = key.slice(elementOrder.length)
    const target = merged.get(name)
    const change = patch[name]
    if (!Array.isArray(order)) throw malformed(key)
    if (change === null) continue
    done.add(name)
    const list = change === undefined ? target : mergeValue(target, change, node?.field(name))
    if (!Array.isArray(list)) continue
    const given = Array.isArray(change) ? change : []
    const before = Array.isArray(target) ? target : []
    merged.set(name, orderList(list, given, order, before, node?.field(name)?.patchMergeKey, name))
  }
  return done
}

/** What `$retainKeys` leaves of a map; the patch may then set no other keys. */
function retained(target: Record<string, unknown>, patch: Record<string, unknown>): Record<string, unknown> {
  const keys = patch['$retainKeys']
  if (keys === undefined) return target
  if (!Array.isArray(keys)) throw malformed('$retainKeys')
  const stray = Object.entries(patch).find(
    ([key, value]) => value !== null && !key.startsWith('$') && !keys.includes(key),
  )
  if (stray !== undefined) throw malformed('$retainKeys')
  return Object.fromEntries(Object.entries(target).filter(([key]) => keys.includes(key)))
}

function without(list: readonly unknown[], values: unknown, key: string): unknown[] {
  if (!Array.isArray(values)) throw malformed(key)
  return list.filter((item) => !values.includes(item))
}

function malformed(directive: string): LadingError {
  return new LadingError('patch.invalid', `invalid patch format of ${directive.replace('$', '')}`, {
    malformed: directive,
  })
}
