import { LadingError } from '../../../../core/index.ts'
import type { Accumulator } from '../../accumulator.ts'
import { applyFieldSpec, PathProblem, type Slot } from '../../config/apply-field-spec.ts'
import type { Var } from '../../load/arguments.ts'
import { isClusterScoped } from '../../resource/cluster-scope.ts'
import { makeGvk, sameGvk } from '../../resource/gvk.ts'
import { effectiveNamespace, type ResId } from '../../resource/res-id.ts'
import { assign, isMap, isNull, isScalar, scalarKind, Spelled, textOf, type Value } from '../../yaml/value.ts'
import { lookUp, splitFieldPath } from '../field-path.ts'
import { expand } from './expand-vars.ts'

/** Remembers which resource each var of a kustomization takes its value from. */
export function bindVars(accumulator: Accumulator, vars: readonly Var[]): void {
  for (const each of vars) {
    const id = idOf(each)
    const anyNamespace = id.namespace === '' && !isClusterScoped(id.gvk)
    const matches = accumulator.resources.resources.filter((resource) =>
      resource
        .anyIds()
        .some(
          (other) =>
            other.name === id.name &&
            sameGvk(other.gvk, id.gvk) &&
            (anyNamespace || effectiveNamespace(other) === effectiveNamespace(id)),
        ),
    )
    if (matches.length > 1) throw invalid(each, `found ${matches.length} resources that match (unable to disambiguate)`)
    matches[0]?.varNames.push(each.name)
  }
  accumulator.addVars(vars)
}

/** Puts the values of vars in the place of `$(NAME)`. */
export function resolveVars(accumulator: Accumulator): void {
  if (accumulator.vars.size === 0) return
  const values = new Map<string, Value>()
  for (const each of accumulator.vars.values()) values.set(each.name, valueOf(each, accumulator))
  for (const resource of accumulator.resources.resources) {
    for (const spec of accumulator.config.varReference) {
      applyFieldSpec(resource, spec, undefined, (slot) => replaceIn(slot, values))
    }
  }
}

function idOf({ objref }: Var): ResId {
  const gvk = objref.apiVersion === '' ? objref : makeGvk(objref.apiVersion, objref.kind)
  return {
    gvk: { group: gvk.group, version: gvk.version, kind: gvk.kind },
    name: objref.name,
    namespace: objref.namespace,
  }
}

function valueOf(each: Var, accumulator: Accumulator): Value {
  const resource = accumulator.resources.resources.find((one) => one.varNames.includes(each.name))
  if (resource === undefined) throw invalid(each, 'cannot be mapped to a field in the set of known resources')
  const path = each.fieldref.fieldPath === '' ? 'metadata.name' : each.fieldref.fieldPath
  const value = lookUp(resource.node, splitFieldPath(path.replaceAll(/\[(\d+)\]/g, '.$1')))
  if (value === undefined) throw invalid(each, `field ${path} not found in corresponding resource`)
  return value instanceof Spelled ? value.value : value
}

function replaceIn(slot: Slot, values: ReadonlyMap<string, Value>): void {
  const value = slot.get()
  if (isNull(value)) return
  if (isMap(value)) {
    for (const [key, item] of Object.entries(value)) if (isText(item)) assign(value, key, expand(textOf(item), values))
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (!isText(item)) throw new PathProblem('invalid value type expect a string')
      assign(value, index, expand(textOf(item), values))
    }
  } else if (isText(value)) slot.set(expand(textOf(value), values))
}

function isText(value: Value): boolean {
  return isScalar(value) && scalarKind(value) === 'string'
}

function invalid(each: Var, problem: string): LadingError {
  return new LadingError('kustomize.invalid', `var '${each.name}': ${problem}`, { field: 'vars', var: each.name })
}
