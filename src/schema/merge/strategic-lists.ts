import { isDeepStrictEqual } from 'node:util'
import { isRecord, LadingError, stringifyJson } from '../../core/index.ts'
import type { SchemaNode } from '../kinds/schema-node.ts'

/** How one item of a keyed list merges with its change. */
export type ItemMerge = (
  target: Record<string, unknown>,
  patch: Record<string, unknown>,
  node: SchemaNode | undefined,
) => Record<string, unknown>

/** Merges a list by its merge key, or a list of scalars by value. Items of the patch keep their order before the others. */
export function mergeList(
  target: readonly unknown[],
  patch: readonly unknown[],
  node: SchemaNode,
  mergeItem: ItemMerge,
): unknown[] {
  if (target.length === 0 && patch.length === 0) return []
  const key = node.patchMergeKey
  if (![...target, ...patch].some(isRecord)) {
    const merged = [...new Set([...target, ...patch])]
    return arrange(merged, patch, target, undefined)
  }
  if (key === undefined) throw new LadingError('patch.invalid', 'cannot merge lists of maps without a merge key')
  const { kept, changes } = followDirectives(mapsOf(target), mapsOf(patch), key)
  const merged = mergeItems(kept, changes, key, node.items(), mergeItem)
  return arrange(merged, changes, kept, key)
}

/** Puts a merged list into the order that `$setElementOrder` asks for; items that it does not name keep their places. */
export function orderList(
  merged: readonly unknown[],
  patch: readonly unknown[],
  order: readonly unknown[],
  before: readonly unknown[],
  key: string | undefined,
  name: string,
): unknown[] {
  checkOrder(patch, order, key, name)
  return arrange(merged, order, before, key)
}

/** A value of a patch as it is stored where nothing was before: nulls and directives are gone. */
export function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isDirective(item)).map(withoutDirectives)
  if (!isRecord(value)) return value
  if (value['$patch'] === 'delete') return {}
  const kept = Object.entries(value).filter(([key, field]) => field !== null && !directiveKey.test(key))
  return Object.fromEntries(kept.map(([key, field]) => [key, withoutDirectives(field)]))
}

const directiveKey = /^\$(patch$|retainKeys$|setElementOrder\/|deleteFromPrimitiveList\/)/

/** Items that say what happens to a list rather than being a part of it. */
function isDirective(item: unknown): boolean {
  return isRecord(item) && (item['$patch'] === 'delete' || item['$patch'] === 'replace')
}

function mapsOf(list: readonly unknown[]): Record<string, unknown>[] {
  if (!list.every(isRecord)) throw new LadingError('patch.invalid', 'list element types are not identical')
  return [...list]
}

/** Does what items with `$patch` say; what is left is the list to merge into and the items to merge. */
function followDirectives(
  target: Record<string, unknown>[],
  patch: readonly Record<string, unknown>[],
  key: string,
): { kept: Record<string, unknown>[]; changes: Record<string, unknown>[] } {
  const changes = patch.filter((item) => item['$patch'] === undefined || item['$patch'] === 'merge')
  let kept = target
  let replaces = false
  for (const item of patch) {
    switch (item['$patch']) {
      case 'delete': {
        const value = keyOf(item, key)
        kept = kept.filter((other) => !isDeepStrictEqual(other[key], value))
        break
      }
      case 'replace':
        replaces = true
        break
      case undefined:
      case 'merge':
        break
      default:
        throw new LadingError('patch.invalid', `there is no $patch directive ${stringifyJson(item['$patch'])}`)
    }
  }
  if (!replaces) return { kept, changes }
  return { kept: changes.map((item) => withoutDirectives(item) as Record<string, unknown>), changes: [] }
}

function mergeItems(
  target: readonly Record<string, unknown>[],
  changes: readonly Record<string, unknown>[],
  key: string,
  node: SchemaNode | undefined,
  mergeItem: ItemMerge,
): Record<string, unknown>[] {
  const merged = [...target]
  for (const change of changes) {
    const value = keyOf(change, key)
    const at = merged.findIndex((item) => isDeepStrictEqual(item[key], value))
    const found = merged[at]
    if (found === undefined) merged.push(withoutDirectives(change) as Record<string, unknown>)
    else merged[at] = mergeItem(found, change, node)
  }
  return merged
}

/**
 * The order of a merged list, as the API server makes it: items of the patch in the patch's order, all others in theirs; an
 * item that only the server has comes first when it stood before the next item of the patch.
 */
function arrange(
  merged: readonly unknown[],
  order: readonly unknown[],
  before: readonly unknown[],
  key: string | undefined,
): unknown[] {
  const place = (list: readonly unknown[], item: unknown): number =>
    list.findIndex((other) => sameItem(other, item, key))
  const byPlace = (list: readonly unknown[]) => (a: unknown, b: unknown) => place(list, a) - place(list, b)
  const mine = merged.filter((item) => place(order, item) >= 0).sort(byPlace(order))
  const others = merged.filter((item) => place(order, item) < 0).sort(byPlace(before))
  const arranged: unknown[] = []
  while (mine.length > 0 && others.length > 0) {
    const [mineAt, otherAt] = [place(before, mine[0]), place(before, others[0])]
    arranged.push(mineAt >= 0 && otherAt >= 0 && otherAt < mineAt ? others.shift() : mine.shift())
  }
  return [...arranged, ...mine, ...others]
}

function checkOrder(patch: readonly unknown[], order: readonly unknown[], key: string | undefined, name: string): void {
  if (patch.length === 0 || order.length === 0) return
  let at = 0
  for (const item of patch.filter((entry) => !isDirective(entry))) {
    while (at < order.length && !sameItem(order[at], item, key)) at += 1
    if (at === order.length) {
      throw new LadingError(
        'patch.invalid',
        `the order of the items of ${name} does not match $setElementOrder/${name}`,
      )
    }
  }
}

function sameItem(a: unknown, b: unknown, key: string | undefined): boolean {
  if (key === undefined || !isRecord(a) || !isRecord(b)) return isDeepStrictEqual(a, b)
  return isDeepStrictEqual(a[key], b[key])
}

function keyOf(item: Record<string, unknown>, key: string): unknown {
  if (item[key] !== undefined) return item[key]
  throw new LadingError('patch.invalid', `an item of the patch does not contain the declared merge key: ${key}`, {
    key,
  })
}
