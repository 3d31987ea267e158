import { isRecord } from '../../core/index.ts'
import type { ReleaseRecord, ValueSource } from '../record/record.ts'
import { formatPath, type ValuePath } from './value-path.ts'
import { type Given, mapNode, type MapNode } from './value-tree.ts'

type Previous = Pick<ReleaseRecord, 'values' | 'userValues' | 'valuesProvenance'>

/** What the user gave for a revision, each value with the source that was recorded for it. */
export function previousValues(previous: Previous): MapNode {
  const values = previous.userValues ?? withoutDefaults(previous)
  return mapNode(values, (path) => {
    const given = recorded(previous, path)
    // The user's, but nobody recorded by which way.
    return given === undefined || isDefault(given.source) ? { source: 'merged' } : given
  })
}

// Records of Sherpack keep only the merged values: what is not known to be a default counts as the user's.
function withoutDefaults(previous: Previous): Record<string, unknown> {
  const kept = userPart(previous, previous.values, [])
  return isRecord(kept) ? kept : {}
}

function userPart(previous: Previous, value: unknown, path: ValuePath): unknown {
  const children = isRecord(value) ? Object.entries(value) : []
  if (children.length > 0) {
    const parts = children.map(([key, child]) => [key, userPart(previous, child, [...path, key])] as const)
    const kept = parts.filter(([, part]) => part !== undefined)
    return kept.length === 0 ? undefined : Object.fromEntries(kept)
  }
  return isUsers(previous, value, path) ? value : undefined
}

// A list is replaced as a whole: it is the user's as soon as one of its values is.
function isUsers(previous: Previous, value: unknown, path: ValuePath): boolean {
  const children: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : isRecord(value)
      ? Object.entries(value)
      : []
  if (children.length > 0) return children.some(([step, child]) => isUsers(previous, child, [...path, step]))
  const given = recorded(previous, path)
  return given === undefined || !isDefault(given.source)
}

/** Who gave the value of a path, or of the nearest list or map around it of which that is recorded. */
function recorded({ valuesProvenance: { sources, origins = {} } }: Previous, path: ValuePath): Given | undefined {
  for (let length = path.length; length > 0; length--) {
    const text = formatPath(path.slice(0, length))
    const source = Object.hasOwn(sources, text) ? sources[text] : undefined
    if (source === undefined) continue
    const origin = Object.hasOwn(origins, text) ? origins[text] : undefined
    return { source, ...(origin === undefined ? {} : { origin }) }
  }
  return undefined
}

function isDefault(source: ValueSource): boolean {
  return source.endsWith('-default')
}
