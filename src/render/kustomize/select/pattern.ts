import { RE2JS, RE2JSSyntaxException } from 're2js'
import { LadingError, stringifyJson } from '../../../core/index.ts'

/** A compiled pattern. */
export interface Pattern {
  test(text: string): boolean
}

/**
 * Compiles a pattern of a kustomization; `field` names it in the error. The syntax is RE2's, as in kustomize, and matching takes
 * time in proportion to the text whatever the pattern is.
 */
export function compilePattern(pattern: string, field: string): Pattern {
  try {
    const compiled = RE2JS.compile(pattern)
    return { test: (text) => compiled.matcher(text).find() }
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    throw new LadingError(
      'kustomize.invalid',
      `${field}: ${stringifyJson(pattern)} is not a valid pattern: ${error.message}`,
      { field },
    )
  }
}
