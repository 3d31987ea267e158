import { LadingError } from '../../../core/index.ts'

/** A compiled pattern. */
export interface Pattern {
  test(text: string): boolean
}

/** Compiles a pattern that a kustomization gives; `field` names it in the error. */
export function compilePattern(pattern: string, field: string): Pattern {
  try {
    return new RegExp(pattern, 'u')
  } catch (error) {
    throw new LadingError(
      'kustomize.invalid',
      `${field}: ${JSON.stringify(pattern)} is no pattern`,
      { field },
      { cause: error },
    )
  }
}
