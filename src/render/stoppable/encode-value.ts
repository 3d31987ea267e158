import { type DetailsOf, type ErrorCode, LadingError } from '../../core/index.ts'
import { GoError, GoInt, goType, type IntKind } from '../gotemplate/value.ts'

/** What becomes of a value on its way between threads: a structured clone alone would lose classes, symbols and prototypes. */
type Encoded =
  | { readonly type: 'list'; readonly items: readonly unknown[]; readonly goType?: string }
  | { readonly type: 'table' | 'record'; readonly entries: readonly Entry[]; readonly goType?: string }
  | { readonly type: 'map'; readonly entries: readonly (readonly [unknown, unknown])[] }
  | { readonly type: 'int'; readonly value: bigint; readonly kind: IntKind }
  | { readonly type: 'error'; readonly error: EncodedError }
  | { readonly type: 'same'; readonly value: Uint8Array | Date }

type Entry = readonly [key: string, value: unknown]

interface EncodedError {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly code?: ErrorCode
  readonly details?: unknown
  readonly cause?: unknown
}

/** A value as data that can be posted to another thread: plain data, values of templates, and errors. Functions are left out. */
export function encodeValue(value: unknown): unknown {
  return encode(value, 0)
}

/** A template that includes itself fails once at each level, and each failure quotes all below: only the first few are worth telling. */
const maxCauses = 5

function encode(value: unknown, causes: number): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (typeof value !== 'object' || value === null) return value
  return encodeObject(value, causes)
}

function encodeObject(value: object, causes: number): Encoded {
  const encodeItem = (item: unknown): unknown => encode(item, causes)
  if (Array.isArray(value)) return { type: 'list', items: value.map(encodeItem), ...typed(value) }
  if (value instanceof Uint8Array || value instanceof Date) return { type: 'same', value }
  if (value instanceof GoInt) return { type: 'int', value: value.value, kind: value.kind }
  if (value instanceof Error) return { type: 'error', error: encodeError(value, causes) }
  if (value instanceof Map) {
    return { type: 'map', entries: [...value].map(([key, item]) => [encodeItem(key), encodeItem(item)] as const) }
  }
  const type = Object.getPrototypeOf(value) === null ? 'table' : 'record'
  return { type, entries: Object.entries(value).map(([key, item]) => [key, encodeItem(item)]), ...typed(value) }
}

function typed(value: object): { readonly goType?: string } {
  const type = (value as { readonly [goType]?: string })[goType]
  return type === undefined ? {} : { goType: type }
}

function encodeError(error: Error, causes: number): EncodedError {
  const { name, message, stack } = error
  return {
    name,
    message,
    stack,
    ...(error instanceof LadingError ? { code: error.code, details: encode(error.details, causes) } : {}),
    ...('cause' in error && causes < maxCauses ? { cause: encode(error.cause, causes + 1) } : {}),
  }
}

/** The value that was encoded. */
export function decodeValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const encoded = value as Encoded
  switch (encoded.type) {
    case 'list':
      return withType(encoded.items.map(decodeValue), encoded.goType)
    case 'table':
      return withType(decodeEntries(Object.create(null) as object, encoded.entries), encoded.goType)
    case 'record':
      return withType(decodeEntries({}, encoded.entries), encoded.goType)
    case 'map':
      return new Map(encoded.entries.map(([key, item]) => [decodeValue(key), decodeValue(item)]))
    case 'int':
      return new GoInt(encoded.value, encoded.kind)
    case 'error':
      return decodeError(encoded.error)
    case 'same':
      return encoded.value
  }
}

// A key may be called __proto__.
function decodeEntries(target: object, entries: readonly Entry[]): object {
  for (const [key, item] of entries) {
    Object.defineProperty(target, key, {
      value: decodeValue(item),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return target
}

function withType(value: object, type: string | undefined): object {
  return type === undefined ? value : Object.defineProperty(value, goType, { value: type })
}

function decodeError({ name, message, stack, code, details, cause }: EncodedError): Error {
  const options = cause === undefined ? {} : { cause: decodeValue(cause) }
  const error =
    code !== undefined
      ? new LadingError(code, message, decodeValue(details) as DetailsOf, options)
      : name === 'GoError'
        ? new GoError(message, options)
        : name === 'RangeError'
          ? new RangeError(message, options)
          : new Error(message, options)
  if (error.name !== name) Object.defineProperty(error, 'name', { value: name })
  if (stack !== undefined) error.stack = stack
  return error
}
