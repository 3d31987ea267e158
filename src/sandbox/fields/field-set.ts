/**
 * A set of field paths, shaped as a tree. A step of a path is spelled as `fieldsV1` spells it: `f:name` for a field,
 * `k:{"name":"web"}` for an item of a keyed list, `v:"x"` for a member of a set.
 */
export interface FieldSet {
  /** Steps that are paths of the set themselves. */
  readonly members: ReadonlySet<string>
  /** Steps below which there are further paths; never an empty set. */
  readonly children: ReadonlyMap<string, FieldSet>
}

/** A set that is being built. */
export interface FieldSetBuilder extends FieldSet {
  readonly members: Set<string>
  readonly children: Map<string, FieldSetBuilder>
}

/** The set without paths. */
export const emptySet: FieldSet = { members: new Set(), children: new Map() }

/** A new set to insert into. */
export function newSet(): FieldSetBuilder {
  return { members: new Set(), children: new Map() }
}

/** The set below one step, made when it is not there yet; drop it with `trim` when nothing was inserted. */
export function childOf(set: FieldSetBuilder, step: string): FieldSetBuilder {
  let child = set.children.get(step)
  if (child === undefined) {
    child = newSet()
    set.children.set(step, child)
  }
  return child
}

/** Removes a child that stayed empty. */
export function trim(set: FieldSetBuilder, step: string): void {
  const child = set.children.get(step)
  if (child !== undefined && isEmptySet(child)) set.children.delete(step)
}

/** Whether the set holds no path. */
export function isEmptySet(set: FieldSet): boolean {
  return set.members.size === 0 && set.children.size === 0
}

/** Whether both sets hold the same paths. */
export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true
  if (a.members.size !== b.members.size || a.children.size !== b.children.size) return false
  for (const step of a.members) if (!b.members.has(step)) return false
  for (const [step, child] of a.children) {
    const other = b.children.get(step)
    if (other === undefined || !equalSets(child, other)) return false
  }
  return true
}

/** The paths of either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a)) return b
  if (isEmptySet(b)) return a
  const children = new Map(a.children)
  for (const [step, child] of b.children) {
    const own = children.get(step)
    children.set(step, own === undefined ? child : union(own, child))
  }
  return { members: new Set([...a.members, ...b.members]), children }
}

/** The paths that are in both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const result = { members: a.members.intersection(b.members), children: new Map<string, FieldSet>() }
  for (const [step, child] of a.children) {
    const other = b.children.get(step)
    if (other !== undefined) addChild(result.children, step, intersection(child, other))
  }
  return result
}

/** The paths of `a` that are not in `b`. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(b)) return a
  const result = { members: a.members.difference(b.members), children: new Map<string, FieldSet>() }
  for (const [step, child] of a.children) {
    const other = b.children.get(step)
    addChild(result.children, step, other === undefined ? child : difference(child, other))
  }
  return result
}

/** The paths of `a` that are neither in `b` nor below a path of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  const result = { members: a.members.difference(b.members), children: new Map<string, FieldSet>() }
  for (const [step, child] of a.children) {
    if (b.members.has(step)) continue
    const other = b.children.get(step)
    addChild(result.children, step, other === undefined ? child : recursiveDifference(child, other))
  }
  return result
}

/** Every path, in the order of insertion. */
export function* pathsOf(set: FieldSet, prefix: readonly string[] = []): Generator<readonly string[]> {
  for (const step of set.members) yield [...prefix, step]
  for (const [step, child] of set.children) yield* pathsOf(child, [...prefix, step])
}

function addChild(children: Map<string, FieldSet>, step: string, child: FieldSet): void {
  if (!isEmptySet(child)) children.set(step, child)
}
