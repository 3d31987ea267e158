import { LadingError } from '../errors.ts'

/** A JSON value; integers that a double cannot hold are bigints. */
export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json }

/** Whether a value is a plain map. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// Sixteen digits or more outside of a string may not fit a double; only then is the slow exact reader used.
const longInteger = /(?:^|[:[,\s])-?\d{16,}/

/** Parses JSON without losing digits: integers past 2^53 become bigints. Keys named `__proto__` stay plain keys. */
export function parseJson(text: string): unknown {
  return longInteger.test(text) ? JSON.parse(text, exactIntegers) : JSON.parse(text)
}

/** Writes JSON, bigints as bare digits. */
export function stringifyJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent)
  } catch {
    // Bigints are rare, and a replacer makes writing several times slower: it is used only where the plain writer refuses.
    return JSON.stringify(value, rawBigints, indent)
  }
}

function exactIntegers(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source
  if (source !== undefined && /^-?\d+$/.test(source)) return BigInt(source)
  if (!Number.isFinite(value)) throw new LadingError('yaml.number', `the number ${source} is out of range`)
  return value
}

function rawBigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJson(value.toString()) : value
}

/** `JSON.rawJSON` is in every supported Node; TypeScript's libraries do not know it yet. */
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON.bind(JSON)
