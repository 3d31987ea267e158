import { isRecord } from '../../core/index.ts'
import { goFields, type SchemaNode } from '../../schema/index.ts'
import type { Complete } from './family.ts'
import type { Part } from './read.ts'

/** Makes what completes values of a type: its own defaults first, then those of all that it contains. */
export function completerOf(node: SchemaNode | undefined, defaults: ReadonlyMap<string, Complete>): Complete {
  const made = new Map<SchemaNode, Step | undefined>()
  const step = node === undefined ? undefined : stepOf(node, defaults, made)
  return step ?? (() => {})
}

type Step = (value: Part) => void

/** What completes a value, or undefined where there is nothing to do below: most types are left alone. */
function stepOf(
  node: SchemaNode,
  defaults: ReadonlyMap<string, Complete>,
  made: Map<SchemaNode, Step | undefined>,
): Step | undefined {
  if (node.shape !== 'struct') return undefined
  if (made.has(node)) return made.get(node)
  // Types that contain themselves have no defaults.
  made.set(node, undefined)
  const own = defaults.get(node.typeName ?? '')
  const declared = declaredDefaults(node)
  const below: [string, Step][] = []
  for (const name of node.fieldNames) {
    const field = node.field(name)
    const inner = field === undefined ? undefined : fieldStep(field, defaults, made)
    if (inner !== undefined) below.push([name, inner])
  }
  if (own === undefined && declared.length === 0 && below.length === 0) return undefined
  const step: Step = (value) => {
    own?.(value)
    for (const [name, given] of declared) value[name] ??= given
    for (const [name, inner] of below) {
      const field = value[name]
      if (field !== undefined && field !== null) inner(field as Part)
    }
  }
  made.set(node, step)
  return step
}

function fieldStep(
  node: SchemaNode,
  defaults: ReadonlyMap<string, Complete>,
  made: Map<SchemaNode, Step | undefined>,
): Step | undefined {
  if (node.shape === 'struct') return stepOf(node, defaults, made)
  const items = node.shape === 'list' ? node.items() : undefined
  const inner = items === undefined ? undefined : fieldStep(items, defaults, made)
  if (inner === undefined) return undefined
  return (list) => {
    if (Array.isArray(list)) for (const item of list) if (isRecord(item)) inner(item)
  }
}

/** Defaults that the schema itself declares; an empty one stands for Go's zero value only. */
function declaredDefaults(node: SchemaNode): [string, unknown][] {
  const { always, zero } = goFields(node.typeName ?? '')
  return node.fieldNames.flatMap((name): [string, unknown][] => {
    const field = node.field(name)
    const given = field?.default
    if (field?.shape !== 'scalar' || given === undefined || given === '' || always.has(name)) return []
    const stands = isRecord(given) || (zero.has(name) && (given === 0 || given === false))
    return stands ? [] : [[name, given]]
  })
}
