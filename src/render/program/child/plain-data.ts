/** Gives a value as plain data, as JSON has it; bigints stay. What JSON would change or lose without a word is an error that names the place. */
export function plainData(value: unknown, place: string, above: readonly object[] = []): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${place} is ${value}, which JSON does not have`)
      return value
    case 'object':
      return value === null ? null : plainObject(value, place, above)
    case 'undefined':
      throw new TypeError(`${place} is undefined`)
    case 'function':
    case 'symbol':
      throw new TypeError(`${place} is a ${typeof value}`)
  }
}

function plainObject(value: object, place: string, above: readonly object[]): unknown {
  if (above.includes(value)) throw new TypeError(`${place} contains itself`)
  const within = [...above, value]
  if (Array.isArray(value)) return value.map((item, index) => plainData(item, `${place}[${index}]`, within))
  if (value instanceof Date) return value.toISOString()
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    throw new TypeError(`${place} is bytes: give text, or base64`)
  if (value instanceof Map || value instanceof Set || value instanceof Promise)
    throw new TypeError(`${place} is a ${value.constructor.name}: give a plain object or an array`)
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return plainData((value.toJSON as () => unknown).call(value), place, within)
  }
  // As JSON does, fields that are undefined are left out.
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  const plain = entries.map(([key, item]) => [key, plainData(item, fieldOf(place, key), within)])
  return Object.fromEntries(plain) as unknown
}

function fieldOf(place: string, key: string): string {
  return place === '' || place.endsWith(' ') ? `${place}${key}` : `${place}.${key}`
}
