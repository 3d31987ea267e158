import module from 'node:module'
import { fileURLToPath } from 'node:url'

/** What a program may import although it has no package of its own. */
const brought = /^zod(?:\/|$)/

/** Resolves `lading/program` to the Lading that renders, and zod to its own where the program has none; notes each module that is loaded. */
export function resolveModules(
  { door, packages }: { readonly door: string; readonly packages: string },
  note: (path: string) => void,
): void {
  module.registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'lading/program') return { url: door, shortCircuit: true }
      try {
        return next(specifier, context)
      } catch (error) {
        if (!brought.test(specifier)) throw error
        return next(specifier, { ...context, parentURL: packages })
      }
    },
    load(url, context, next) {
      if (url.startsWith('file:')) note(fileURLToPath(url))
      return next(url, context)
    },
  })
}
