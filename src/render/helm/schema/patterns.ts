import { RE2JS } from 're2js'
import { LadingError, stringifyJson } from '../../../core/index.ts'

/** Regular expressions of schemas, in RE2's syntax and linear time, as Helm reads them. */
export class Patterns {
  readonly #compiled = new Map<string, RE2JS>()

  /** Whether the expression matches somewhere in the text. */
  matches(pattern: string, text: string): boolean {
    return this.#compile(pattern).matcher(text).find()
  }

  #compile(pattern: string): RE2JS {
    const known = this.#compiled.get(pattern)
    if (known !== undefined) return known
    try {
      const compiled = RE2JS.compile(pattern)
      this.#compiled.set(pattern, compiled)
      return compiled
    } catch (error) {
      const problem = `values.schema.json: ${stringifyJson(pattern)} is no regular expression`
      throw new LadingError('schema.invalid', problem, { pattern }, { cause: error })
    }
  }
}
