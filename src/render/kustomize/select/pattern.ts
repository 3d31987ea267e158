import { LadingError, stringifyJson } from '../../../core/index.ts'
import { parsePattern, PatternProblem } from './parse-pattern.ts'
import { compileProgram, matches } from './run-pattern.ts'

/** A compiled pattern. */
export interface Pattern {
  test(text: string): boolean
}

/**
 * Compiles a pattern that a kustomization gives; `field` names it in the error. The syntax is RE2's, and matching takes time in
 * proportion to the text whatever the pattern, because patterns and names may come from somebody who means harm.
 */
export function compilePattern(pattern: string, field: string): Pattern {
  try {
    const program = compileProgram(parsePattern(pattern))
    return { test: (text) => matches(program, text) }
  } catch (error) {
    if (!(error instanceof PatternProblem)) throw error
    throw new LadingError('kustomize.invalid', `${field}: ${stringifyJson(pattern)} is no pattern: ${error.message}`, {
      field,
    })
  }
}
