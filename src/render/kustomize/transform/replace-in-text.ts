import { isLadingError, stringifyJson } from '../../../core/index.ts'
import type { Slot } from '../config/apply-field-spec.ts'
import { isScalar, textOf, toJson, type Value } from '../yaml/value.ts'
import { writeDocument } from '../write/render-yaml.ts'
import { type CreateKind, matchFields, readText } from './match-fields.ts'
import { slotAt } from './field-path.ts'

/**
 * Changes fields of JSON or YAML that stands as text in a field, where a replacement's path goes on behind one; says whether it
 * did. What it cannot do this way it leaves alone, as the path may mean something else.
 */
export function replaceInText(
  node: Value,
  path: readonly string[],
  create: CreateKind,
  change: (old: Value) => Value,
): boolean {
  for (let length = 1; length < path.length; length++) {
    const slot = slotAt(node, path.slice(0, length))
    if (slot === undefined || !isScalar(slot.get())) continue
    try {
      return changeText(slot, path.slice(length), create, change)
    } catch (error) {
      if (!isLadingError(error)) throw error
      return false
    }
  }
  return false
}

function changeText(slot: Slot, path: readonly string[], create: CreateKind, change: (old: Value) => Value): boolean {
  const text = textOf(slot.get())
  const root = [readText(text)]
  const places = matchFields({ get: () => root[0]!, set: (value) => (root[0] = value) }, path, create)
  if (places.length === 0) return false
  for (const place of places) place.set(change(place.get()))
  slot.set(/^\s*[{[]/.test(text) ? writeJson(root[0]!, text) : writeDocument(root[0]!).trim())
  return true
}

// Go's writer sorts keys, and escapes what could end a script element in HTML.
function writeJson(value: Value, old: string): string {
  const isIndented = old.includes('\n') && old.includes('  ')
  return stringifyJson(toJson(value), isIndented ? 2 : undefined).replaceAll(
    /[<>&\u2028\u2029]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
