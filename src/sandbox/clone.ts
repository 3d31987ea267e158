/** A copy of a JSON value that shares nothing with it; several times faster than `structuredClone` on such values. */
export function cloneJson<Value>(value: Value): Value {
  return clone(value) as Value
}

function clone(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(clone)
  const copy: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value)) setOwn(copy, key, clone(field))
  return copy
}

/** Sets a key of a record; a plain assignment to `__proto__`, a fair key of a ConfigMap, would set the prototype instead. */
export function setOwn(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') record[key] = value
  else Object.defineProperty(record, key, { value, enumerable: true, writable: true, configurable: true })
}
