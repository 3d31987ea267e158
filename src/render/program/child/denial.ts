/** Of an error that says what a program may not do; no library uses it. */
export const deniedCode = 'ERR_LADING_DENIED'

/** An error that says what the program wanted and may not do. */
export function denial(what: string): Error {
  return Object.assign(new Error(what), { code: deniedCode })
}

/** A function that may not be called. */
export function denied(what: string): (...args: unknown[]) => never {
  return function refuse() {
    throw denial(what)
  }
}

/** Puts a value in the place of a property for good. */
export function replace(target: object, key: string, value: unknown): void {
  if (!(key in target)) return
  Object.defineProperty(target, key, { value, writable: false, configurable: false, enumerable: true })
}
