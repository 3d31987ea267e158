/** The names of the operations that were made and not used yet; it keeps none of the operations alive. */
const unused = new Map<symbol, string>()
const keys = new WeakMap<object, symbol>()
const collected = new FinalizationRegistry<symbol>(warn)
let isListening = false

/**
 * Remembers an operation until it is used. If it never is, a process warning says so: when the garbage collector removes the operation,
 * or else when the process has nothing more to do.
 */
export function expectUse(operation: object, name: string): void {
  const key = Symbol(name)
  unused.set(key, name)
  keys.set(operation, key)
  collected.register(operation, key, operation)
  if (isListening) return
  isListening = true
  process.on('beforeExit', () => {
    for (const left of unused.keys()) warn(left)
  })
}

/** Forgets an operation, since it was awaited, iterated or disposed of. */
export function noteUse(operation: object): void {
  const key = keys.get(operation)
  if (key === undefined) return
  unused.delete(key)
  collected.unregister(operation)
}

function warn(key: symbol): void {
  const name = unused.get(key)
  if (!unused.delete(key)) return
  const message = `${name} was called but did nothing, because its result was neither awaited nor iterated`
  process.emitWarning(message, { type: 'UnusedOperationWarning', code: 'LADING_UNUSED_OPERATION' })
}
