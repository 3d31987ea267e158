import { RE2JS, RE2JSSyntaxException } from 're2js'
import { TemplateFailure } from './value.ts'

const longestPattern = 1000

/** Compiles a pattern; it is matched in linear time. */
export function regex(pattern: string): RE2JS {
  if (pattern.length > longestPattern)
    throw new TemplateFailure(`a pattern is longer than ${longestPattern} characters`)
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) throw new TemplateFailure(`invalid regex '${pattern}': ${error.message}`)
    throw error
  }
}

/** Every match of a pattern. */
export function findAll(pattern: string, value: string): string[] {
  const matcher = regex(pattern).matcher(value)
  const found: string[] = []
  while (matcher.find()) found.push(matcher.group() ?? '')
  return found
}

/** A replacement in the words of Rust's regex (`$1`, `${name}`, `$$`), for a matcher that knows backslashes. */
export function escapeReplacement(replacement: string): string {
  return replacement.replaceAll('\\', '\\\\').replaceAll('$$', '\\$')
}
