import { isDeepStrictEqual } from 'node:util'
import { LadingError } from '../errors.ts'
import { isRecord, stringifyJson } from './json.ts'

/** How strictly a JSON patch is read. */
export interface JsonPatchOptions {
  /**
   * Read it as the API server and kustomize do (evanphx/json-patch v4): `replace` adds what is missing in a map, `copy` and
   * `test` see null there, an absent value is null, negative indexes count from the end.
   */
  readonly lenient?: boolean
}

/**
 * Applies a JSON patch (RFC 6902) and gives the new document; the given one stays as it is. All or nothing: an operation that
 * cannot be done, or a `test` that fails, throws `patch.invalid` with the operation's index in its details.
 */
export function applyJsonPatch(document: unknown, operations: unknown, options: JsonPatchOptions = {}): unknown {
  if (!Array.isArray(operations)) throw new LadingError('patch.invalid', 'a JSON patch is a list of operations')
  const lenient = options.lenient === true
  return operations.reduce<unknown>((current, operation: unknown, index) => {
    try {
      return applyOperation(current, operation, lenient)
    } catch (error) {
      if (!(error instanceof PatchProblem)) throw error
      const op: unknown = isRecord(operation) ? operation['op'] : undefined
      const path: unknown = isRecord(operation) ? operation['path'] : undefined
      const message = `operation ${index} of the JSON patch (${String(op)} ${String(path)}): ${error.message}`
      throw new LadingError('patch.invalid', message, { index, op, path })
    }
  }, document)
}

/** Splits a JSON pointer (RFC 6901) into its steps, escapes undone. */
export function parsePointer(pointer: string, lenient = false): string[] {
  if (pointer === '') return []
  const wellFormed = pointer.startsWith('/') && !/~(?![01])/.test(pointer)
  if (!wellFormed && !lenient) throw new LadingError('patch.invalid', `${stringifyJson(pointer)} is no JSON pointer`)
  // What stands before the first slash is passed over by the lenient reading.
  const steps = pointer.split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Why an operation cannot be done; the caller adds which one it was. */
class PatchProblem extends Error {}

function applyOperation(document: unknown, operation: unknown, lenient: boolean): unknown {
  if (!isRecord(operation)) throw new PatchProblem('an operation is a map')
  const path = pointerOf(operation, 'path', lenient)
  switch (operation['op']) {
    case 'add':
      return add(document, path, valueOf(operation, lenient), lenient)
    case 'remove':
      return remove(document, path, lenient)
    case 'replace':
      return replace(document, path, valueOf(operation, lenient), lenient)
    case 'move': {
      const from = pointerOf(operation, 'from', lenient)
      if (isInside(path, from)) throw new PatchProblem('a value cannot move into itself')
      return add(remove(document, from, lenient), path, read(document, from, lenient), lenient)
    }
    case 'copy':
      return add(document, path, read(document, pointerOf(operation, 'from', lenient), lenient), lenient)
    case 'test':
      if (isDeepStrictEqual(read(document, path, lenient), valueOf(operation, lenient))) return document
      throw new PatchProblem('the value is another one')
    default:
      throw new PatchProblem('there is no such operation')
  }
}

function pointerOf(operation: Record<string, unknown>, field: 'path' | 'from', lenient: boolean): string[] {
  const pointer = operation[field]
  if (typeof pointer !== 'string') throw new PatchProblem(`"${field}" is missing`)
  try {
    return parsePointer(pointer, lenient)
  } catch (error) {
    if (error instanceof LadingError) throw new PatchProblem(error.message)
    throw error
  }
}

function valueOf(operation: Record<string, unknown>, lenient: boolean): unknown {
  if (Object.hasOwn(operation, 'value')) return operation['value']
  if (lenient) return null
  throw new PatchProblem('"value" is missing')
}

function isInside(path: readonly string[], parent: readonly string[]): boolean {
  return path.length > parent.length && parent.every((step, index) => step === path[index])
}

function add(document: unknown, path: readonly string[], value: unknown, lenient: boolean): unknown {
  if (path.length === 0) return value
  return edit(document, path, lenient, (parent, key) => {
    if (!Array.isArray(parent)) return { ...mapAt(parent, key), [key]: value }
    // A list can be added to behind its last item, which is also where -1 points.
    const at = key === '-' ? parent.length : indexOf(key, parent.length + 1, lenient)
    return parent.toSpliced(at, 0, value)
  })
}

function remove(document: unknown, path: readonly string[], lenient: boolean): unknown {
  if (path.length === 0) throw new PatchProblem('the whole document cannot be removed')
  return edit(document, path, lenient, (parent, key) => {
    if (Array.isArray(parent)) return parent.toSpliced(indexOf(key, parent.length, lenient), 1)
    const { [key]: _, ...rest } = existing(mapAt(parent, key), key)
    return rest
  })
}

function replace(document: unknown, path: readonly string[], value: unknown, lenient: boolean): unknown {
  if (path.length === 0) return value
  return edit(document, path, lenient, (parent, key) => {
    if (Array.isArray(parent)) return parent.with(indexOf(key, parent.length, lenient), value)
    const map = mapAt(parent, key)
    return { ...(lenient ? map : existing(map, key)), [key]: value }
  })
}

function read(document: unknown, path: readonly string[], lenient: boolean): unknown {
  let value = document
  for (const [depth, step] of path.entries()) {
    const optional = lenient && depth === path.length - 1 && isRecord(value) && !Object.hasOwn(value, step)
    value = optional ? null : childOf(value, step, lenient)
  }
  return value
}

/** Gives the document with one place changed; only the maps and lists on the way to it are new. */
function edit(
  value: unknown,
  path: readonly string[],
  lenient: boolean,
  change: (parent: unknown, key: string) => unknown,
): unknown {
  const [step = '', ...rest] = path
  if (rest.length === 0) return change(value, step)
  const child = edit(childOf(value, step, lenient), rest, lenient, change)
  if (Array.isArray(value)) return value.with(indexOf(step, value.length, lenient), child)
  return { ...mapAt(value, step), [step]: child }
}

function childOf(value: unknown, step: string, lenient: boolean): unknown {
  if (Array.isArray(value)) return value[indexOf(step, value.length, lenient)] as unknown
  return existing(mapAt(value, step), step)[step]
}

function mapAt(value: unknown, key: string): Record<string, unknown> {
  if (isRecord(value)) return value
  throw new PatchProblem(`there is no map or list to hold "${key}"`)
}

function existing(map: Record<string, unknown>, key: string): Record<string, unknown> {
  if (Object.hasOwn(map, key)) return map
  throw new PatchProblem(`there is no "${key}"`)
}

function indexOf(step: string, limit: number, lenient: boolean): number {
  const wellFormed = lenient ? /^-?\d+$/ : /^(0|[1-9]\d*)$/
  if (!wellFormed.test(step)) throw new PatchProblem(`"${step}" is no index`)
  const given = Number(step)
  const index = given < 0 ? given + limit : given
  if (index < 0 || index >= limit) throw new PatchProblem(`there is no item ${step}`)
  return index
}
