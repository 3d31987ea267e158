import { isRecord } from '../../core/index.ts'
import type { ReleaseRecord, ValueSource } from '../record.ts'
import { formatPath, type ValuePath } from './value-path.ts'
import { mapNode, type MapNode } from './value-tree.ts'

type Previous = Pick<ReleaseRecord, 'values' | 'userValues' | 'valuesProvenance'>

/** What the user gave for a revision, each value with the source that was recorded for it. */
export function previousValues(previous: Previous): MapNode {
  const values = previous.userValues ?? withoutDefaults(previous)
  return mapNode(values, (path) => {
    const source = recordedSource(previous, path)
    // The user's, but nobody recorded by which way.
    return source === undefined || isDefault(source) ? 'merged' : source
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
  const source = recordedSource(previous, path)
  return source === undefined || !isDefault(source)
}

/** The source of a path, or of the nearest list or map around it that has one. */
function recordedSource({ valuesProvenance: { sources } }: Previous, path: ValuePath): ValueSource | undefined {
  for (let length = path.length; length > 0; length--) {
    const text = formatPath(path.slice(0, length))
    if (Object.hasOwn(sources, text)) return sources[text]
  }
  return undefined
}

function isDefault(source: ValueSource): boolean {
  return source === 'schema-default' || source === 'pack-default'
}
