import { LadingError } from '../../../core/index.ts'
import { compareGvk, type Gvk, isSelectedBy } from '../resource/gvk.ts'

/** A place in objects of some kind; `create` makes it where it is missing. */
export interface FieldSpec extends Gvk {
  readonly path: string
  readonly create: boolean
}

/** Adds field specifications to others; one that is covered already is left out, and must agree about `create`. */
export function mergeSpecs(specs: readonly FieldSpec[], more: readonly FieldSpec[]): FieldSpec[] {
  const merged = [...specs]
  for (const spec of more) {
    const known = merged.find((each) => isSelectedBy(each, spec) && each.path === spec.path)
    if (known === undefined) merged.push(spec)
    else if (known.create !== spec.create) {
      throw new LadingError(
        'kustomize.invalid',
        `conflicting fieldspecs for ${spec.path} of ${spec.kind || 'every kind'}`,
        {
          field: spec.path,
        },
      )
    }
  }
  return merged
}

/** Orders field specifications as kustomize does. */
export function sortSpecs<T extends Gvk>(specs: readonly T[]): T[] {
  return [...specs].sort(compareGvk)
}

/** Splits a path at slashes; `\/` is a slash inside of a step. */
export function splitPath(path: string, delimiter = '/'): string[] {
  let parts = path.split(delimiter)
  if (parts.length > 1 && parts[0] === '') parts = parts.slice(1)
  const steps = [parts[0]!]
  for (const part of parts.slice(1)) {
    const last = steps.at(-1)!
    if (last.endsWith('\\')) steps[steps.length - 1] = `${last.slice(0, -1)}${delimiter}${part}`
    else steps.push(part)
  }
  return steps
}
