import { isRecord } from '../../core/index.ts'
import { layer } from './merge-values.ts'
import type { Assignment } from './parse-set.ts'
import { setError } from './set-cursor.ts'
import { formatPath } from './value-path.ts'
import { type Given, isNull, mapNode, type MapNode, type ValueNode, valueNode } from './value-tree.ts'

/** Sets one value of the command line in values that nobody else holds, making the maps and lists on the way to it. */
export function assign(root: MapNode, assignment: Assignment): MapNode {
  const { path, value } = assignment
  if (path.length === 0)
    return isRecord(value)
      ? layer(
          root,
          mapNode(value, () => givenBy(assignment)),
        )
      : root
  put(root, assignment, 0)
  return root
}

function put(node: ValueNode | undefined, assignment: Assignment, depth: number): ValueNode {
  const { path, value } = assignment
  const step = path[depth]
  if (step === undefined) return valueNode(value, () => givenBy(assignment), path)
  if (typeof step === 'number') {
    const list = listFor(node, assignment, depth)
    while (list.items.length < step) list.items.push({ kind: 'leaf', value: null, given: givenBy(assignment) })
    list.items[step] = put(list.items[step], assignment, depth + 1)
    return list
  }
  const map = mapFor(node, assignment, depth)
  map.entries.set(step, put(map.entries.get(step), assignment, depth + 1))
  return map
}

function listFor(node: ValueNode | undefined, assignment: Assignment, depth: number): ValueNode & { kind: 'list' } {
  if (node?.kind === 'list') return node
  if (node === undefined || isNull(node)) return { kind: 'list', items: [], given: givenBy(assignment) }
  throw conflict(assignment, depth, 'list')
}

// What stood in a list gives way to a map, what stood in a map does not: so does Helm. A null is nothing.
function mapFor(node: ValueNode | undefined, assignment: Assignment, depth: number): MapNode {
  if (node?.kind === 'map') return node
  const givesWay = node === undefined || isNull(node) || typeof assignment.path[depth - 1] === 'number'
  if (givesWay) return { kind: 'map', entries: new Map(), given: givenBy(assignment) }
  throw conflict(assignment, depth, 'map')
}

function givenBy({ flag, text }: Assignment): Given {
  return { source: 'command-line', ...(text === undefined ? {} : { origin: `--${flag} ${text}` }) }
}

function conflict({ flag, position, path }: Assignment, depth: number, expected: string): Error {
  const parent = formatPath(path.slice(0, depth))
  return setError(flag, position, `${formatPath(path)} cannot be set, for ${parent} is no ${expected}`, path)
}
