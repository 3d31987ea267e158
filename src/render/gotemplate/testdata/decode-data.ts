import { fromBytes } from '../format/bytes.ts'
import { GoError, GoInt, type GoMap, goType, type GoValue, type IntKind } from '../value.ts'
import { caseFunctions } from './case-functions.ts'
import { Label, Thing, Values, Version } from './case-types.ts'

const floats: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Inf: Number.POSITIVE_INFINITY,
  '-Inf': Number.NEGATIVE_INFINITY,
  '-0': -0,
}

/** Data of a case, in which an object with a single key that starts with `$` says its Go type. */
export function decodeData(json: unknown): GoValue {
  if (Array.isArray(json)) return json.map(decodeData)
  if (typeof json !== 'object' || json === null) return json as GoValue
  const [first] = Object.entries(json)
  const isTagged = first?.[0].startsWith('$') === true && Object.keys(json).length === 1
  return isTagged ? tagged(first[0], first[1]) : decodeMap(json)
}

function tagged(tag: string, held: unknown): GoValue {
  if (/^\$u?int\d*$/.test(tag)) return new GoInt(BigInt(String(held)), tag.slice(1) as IntKind)
  const text = String(held)
  switch (tag) {
    case '$float':
      return floats[text]
    case '$bytes':
      return fromBytes(Buffer.from(text, 'hex'))
    case '$byteList': {
      const bytes = Array.from(Buffer.from(text, 'hex'), (byte) => new GoInt(byte, 'uint8'))
      return Object.assign(bytes, { [goType]: '[]uint8' })
    }
    case '$strings':
      return Object.assign([...(held as string[])], { [goType]: '[]string' })
    case '$stringMap':
      return Object.assign(decodeMap(held as object), { [goType]: 'map[string]string' })
    case '$error':
      return new GoError(text)
    case '$label':
      return new Label(text)
    case '$version':
      return new Version(text)
    case '$values':
      return new Values(decodeMap(held as object))
    case '$function':
      return caseFunctions[text]
    case '$thing':
      return new Thing('main.Thing', decodeMap(held as object))
    case '$thingPointer':
      return new Thing('*main.Thing', decodeMap(held as object))
    default:
      throw new TypeError(`unknown tag ${tag}`)
  }
}

function decodeMap(json: object): GoMap {
  const map = Object.create(null) as GoMap
  for (const [key, value] of Object.entries(json)) map[key] = decodeData(value)
  return map
}
