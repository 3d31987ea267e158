import { oneLine, stringifyJson } from '../../core/index.ts'
import type { FieldChange } from './diff-objects.ts'

/** How field changes are written. */
export interface ChangeLinesOptions {
  /** What stands before each line (default: four spaces). */
  readonly indent?: string
  /** Colours a line (default: no colour). */
  readonly colour?: (text: string, style: 'green' | 'red' | 'yellow') => string
  /** The most characters of a value (default: all of them). */
  readonly maxLength?: number
}

/**
 * Field changes, one line each: `+` added, `-` removed, `~` changed. Plans, approvals and artifacts are shown this way; `formatDiff` is
 * the long form, with values as YAML.
 */
export function changeLines(changes: readonly FieldChange[], options: ChangeLinesOptions = {}): string[] {
  const { indent = '    ', colour = (text: string) => text, maxLength } = options
  const value = (each: unknown): string => valueText(each, maxLength)
  return changes.map(({ path, before, after }) => {
    if (before === undefined) return colour(oneLine(`${indent}+ ${path}: ${value(after)}`), 'green')
    if (after === undefined) return colour(oneLine(`${indent}- ${path}: ${value(before)}`), 'red')
    return colour(oneLine(`${indent}~ ${path}: ${value(before)} → ${value(after)}`), 'yellow')
  })
}

function valueText(value: unknown, maxLength = Infinity): string {
  const text = stringifyJson(value) ?? ''
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`
}
