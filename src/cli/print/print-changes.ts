import { oneLine, stringifyJson } from '../../core/index.ts'
import type { FieldChange } from '../../release/index.ts'
import type { Paint } from './print-events.ts'

/** Fields that differ as lines, an added one with `+`, a removed one with `-`, a changed one with `~`. */
export function changeLines(changes: readonly FieldChange[], colour: Paint, indent = '    '): string[] {
  return changes.map(({ path: name, before, after }) => {
    const path = oneLine(name)
    if (before === undefined) return colour(`${indent}+ ${path}: ${valueText(after)}`, 'green')
    if (after === undefined) return colour(`${indent}- ${path}: ${valueText(before)}`, 'red')
    return colour(`${indent}~ ${path}: ${valueText(before)} → ${valueText(after)}`, 'yellow')
  })
}

/** A value on one line. */
function valueText(value: unknown): string {
  const text = stringifyJson(value) ?? ''
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`
}
