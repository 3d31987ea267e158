import { isWrittenAsInteger } from './number-shape.ts'
import { type Resolved, resolvePlain } from './resolve-scalar.ts'

/** Stands for text that its explicit tag does not allow. */
export const notOfTag = Symbol('not of its tag')

const yamlPrefix = 'tag:yaml.org,2002:'
const timestamp =
  /^\d{4}-\d{1,2}-\d{1,2}(?:(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d\d:\d\d))|(?: \d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?))?$/
const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Reads a scalar with an explicit tag; like go-yaml v2 it takes tags that it does not know for strings. */
export function resolveTagged(tag: string, text: string): Resolved | typeof notOfTag {
  switch (tag) {
    case 'bool':
      return ofType(resolvePlain(text), 'boolean')
    case 'int':
      return isWrittenAsInteger(text) ? ofInteger(resolvePlain(text)) : notOfTag
    case 'float':
      return ofFloat(resolvePlain(text))
    case 'null':
      return resolvePlain(text) === null ? null : notOfTag
    case 'timestamp':
      return timestamp.test(text) ? text : notOfTag
    case 'binary':
      return decodeBinary(text)
    default:
      return text
  }
}

/** The short name of a tag of YAML's own (`int` for `!!int`), the empty string for any other. */
export function shortTag(raw: string, handles: ReadonlyMap<string, string>): string {
  const full = fullTag(raw, handles)
  return full.startsWith(yamlPrefix) ? full.slice(yamlPrefix.length) : ''
}

function fullTag(raw: string, handles: ReadonlyMap<string, string>): string {
  if (raw.startsWith('!<')) return raw.slice(2, -1)
  const handleEnd = raw.indexOf('!', 1) + 1
  const handle = handleEnd === 0 ? '!' : raw.slice(0, handleEnd)
  const prefix = handles.get(handle) ?? (handle === '!!' ? yamlPrefix : handle)
  return prefix + raw.slice(handle.length)
}

function ofType(value: Resolved, type: 'boolean'): Resolved | typeof notOfTag {
  return typeof value === type ? value : notOfTag
}

function ofInteger(value: Resolved): Resolved | typeof notOfTag {
  return typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'number' ? value : notOfTag
}

function ofFloat(value: Resolved): Resolved | typeof notOfTag {
  if (typeof value === 'bigint') return Number(value)
  return typeof value === 'number' || typeof value === 'symbol' ? value : notOfTag
}

// JSON holds text only: bytes that are not UTF-8 would be destroyed, so they are refused instead.
function decodeBinary(text: string): string | typeof notOfTag {
  const compact = text.replaceAll(/[\r\n]/g, '')
  if (!base64.test(compact) || compact.length % 4 !== 0) return notOfTag
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(compact, 'base64'))
  } catch {
    return notOfTag
  }
}
