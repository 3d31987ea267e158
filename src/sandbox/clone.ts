/** A copy of a JSON value that shares nothing with it; several times faster than `structuredClone` on such values. */
export function cloneJson<Value>(value: Value): Value {
  return clone(value) as Value
}

function clone(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(clone)
  const copy: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value)) {
    // A plain assignment to `__proto__` would set the prototype instead of a key.
    if (key === '__proto__')
      Object.defineProperty(copy, key, { value: clone(field), enumerable: true, writable: true, configurable: true })
    else copy[key] = clone(field)
  }
  return copy
}
