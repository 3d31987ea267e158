import { LadingError } from '../../../core/index.ts'
import { resolvePlain } from '../yaml/resolve-plain.ts'
import { scalarKind, Untagged, type Value } from '../yaml/value.ts'

/** Gives a text the type of the scalar that it replaces: a number stays a number, a string a string. Text that is no such value is refused. */
export function convertScalar(old: Value, text: string): Value {
  const kind = scalarKind(old)
  if (kind === 'string' && !(old instanceof Untagged)) return text
  const resolved = resolvePlain(text)
  if (typeof resolved !== 'symbol' && (old instanceof Untagged || scalarKind(resolved) === kind)) return resolved
  throw new LadingError('kustomize.invalid', `the value cannot be a ${kind}, which it would replace`)
}
