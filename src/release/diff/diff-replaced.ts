import { createMask, isRecord, type KubeObject, type Mask } from '../../core/index.ts'
import { type FieldPath, ownedPaths, type PathElement } from '../../kube/index.ts'
import type { Ownership } from '../ownership.ts'
import { diffObjects, type FieldChange } from './diff-objects.ts'

/**
 * What changes when an object is deleted and created again. The new one is known only as it is sent, without what the server fills in, so
 * the live one is compared as far as the release set it, or sets it now: addresses, defaults and what controllers
 * wrote are made anew, and are nobody's change.
 */
export function diffReplaced(
  live: KubeObject,
  desired: KubeObject,
  { fieldManager }: Ownership,
  mask: Mask = createMask(),
): FieldChange[] {
  const entries = (live.metadata.managedFields ?? []).filter(
    ({ manager, subresource = '' }) => manager === fieldManager && subresource === '',
  )
  const set = restrict(live, desired, leavesOf(entries.map(({ fieldsV1 = {} }) => fieldsV1)))
  const { apiVersion, kind } = live
  // The name is desired, so it is among what was kept.
  const before = { apiVersion, kind, ...(set as Pick<KubeObject, 'metadata'>) }
  return diffObjects(before, desired, mask).filter((change) => change.before !== undefined || !isEmptyMap(change.after))
}

/** The server stores no empty map. */
function isEmptyMap(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0
}

/** The paths that hold values: a map or an item that others own a part of is owned as well, but is no value. */
function leavesOf(trees: readonly Readonly<Record<string, unknown>>[]): FieldPath[] {
  const isNode = (fields: object): boolean => Object.keys(fields).some((name) => name !== '.')
  const pruned = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, below]) => {
        if (name === '.' && isNode(fields)) return []
        return [[name, isRecord(below) && isNode(below) ? pruned(below) : {}]]
      }),
    )
  return trees.flatMap((fields) => ownedPaths(pruned(fields)))
}

function restrict(live: unknown, desired: unknown, paths: readonly FieldPath[]): unknown {
  if (paths.some((path) => path.length === 0)) return desired === undefined ? live : narrow(live, desired)
  if (Array.isArray(live)) {
    const kept = live.flatMap((item: unknown) => {
      const own = tails(paths, (element) => isItem(item, element))
      return own.length === 0 ? [] : [restrict(item, counterpart(item, desired, paths), own)]
    })
    return kept.length === 0 ? undefined : kept
  }
  if (!isRecord(live)) return desired === undefined ? undefined : live
  const kept = Object.entries(live).flatMap(([key, value]): [string, unknown][] => {
    const own = tails(paths, (element) => 'field' in element && element.field === key)
    const wanted = isRecord(desired) && Object.hasOwn(desired, key) ? desired[key] : undefined
    const part =
      own.length > 0 ? restrict(value, wanted, own) : wanted === undefined ? undefined : narrow(value, wanted)
    return part === undefined ? [] : [[key, part]]
  })
  return kept.length === 0 && desired === undefined ? undefined : Object.fromEntries(kept)
}

/** A value that is owned as a whole may have defaults inside: of maps only the keys that are desired are compared. */
function narrow(live: unknown, desired: unknown): unknown {
  if (isRecord(live) && isRecord(desired)) {
    const shared = Object.entries(live).filter(([key]) => Object.hasOwn(desired, key))
    return Object.fromEntries(shared.map(([key, value]) => [key, narrow(value, desired[key])]))
  }
  if (Array.isArray(live) && Array.isArray(desired) && live.length === desired.length) {
    return live.map((item: unknown, index) => narrow(item, desired[index]))
  }
  return live
}

function tails(paths: readonly FieldPath[], fits: (element: PathElement) => boolean): FieldPath[] {
  return paths.filter(([first]) => first !== undefined && fits(first)).map((path) => path.slice(1))
}

function counterpart(item: unknown, desired: unknown, paths: readonly FieldPath[]): unknown {
  const element = paths.map(([first]) => first).find((first) => first !== undefined && isItem(item, first))
  if (!Array.isArray(desired) || element === undefined) return undefined
  return desired.find((other: unknown) => isItem(other, element)) as unknown
}

function isItem(item: unknown, element: PathElement): boolean {
  if ('value' in element) return item === element.value
  if (!('key' in element) || !isRecord(item)) return false
  return Object.entries(element.key).every(([name, value]) => item[name] === value)
}
