import { styleText } from 'node:util'
import { formatRef, manyLines, oneLine } from '../../core/index.ts'
import { writeYaml } from '../../core/yaml/index.ts'
import type { FieldChange } from './diff-objects.ts'
import { type DriftChange, isDifferent, type ObjectDiff } from './object-diff.ts'

/** How a diff is written. */
export interface FormatOptions {
  /** How texts are coloured; with `true` by the codes of a terminal. */
  readonly colour?: boolean | ((text: string, style: DiffStyle) => string)
  /** Also names the objects that do not differ. */
  readonly unchanged?: boolean
}

/** The colours of a diff. */
export type DiffStyle = 'green' | 'red' | 'yellow' | 'magenta' | 'dim'

const signs = {
  added: ['+', 'green'],
  removed: ['-', 'red'],
  modified: ['~', 'yellow'],
  unchanged: ['=', 'dim'],
} as const

/** A diff as text for people: an object a paragraph, a field a pair of lines, what others did marked as drift. */
export function formatDiff(diffs: readonly ObjectDiff[], options: FormatOptions = {}): string {
  const { colour } = options
  const paint = (style: DiffStyle, text: string): string => {
    if (typeof colour === 'function') return colour(text, style)
    return colour === true ? styleText(style, text, { validateStream: false }) : text
  }
  const shown = diffs.filter((diff) => options.unchanged === true || isDifferent(diff) || diff.note !== undefined)
  return shown.map((diff) => `${formatObject(diff, paint).join('\n')}\n`).join('')
}

type Paint = (style: DiffStyle, text: string) => string

function formatObject(diff: ObjectDiff, paint: Paint): string[] {
  const [sign, style] = signs[diff.change]
  const title = `${sign} ${diff.hook === true ? 'hook ' : ''}${formatRef(diff.ref)}`
  const lines = [paint(style, title)]
  if (diff.note !== undefined) lines.push(`    (${oneLine(diff.note)})`)
  for (const change of diff.changes) lines.push(...formatChange(change, '  ', paint))
  if (diff.drift?.state === 'missing') lines.push(paint('magenta', '  ! drift: it is missing on the cluster'))
  for (const change of diff.drift?.changes ?? []) {
    lines.push(paint('magenta', `  ! drift${byWhom(change)}`), ...formatChange(change, '    ', paint))
  }
  for (const change of diff.drift?.added ?? []) {
    lines.push(paint('magenta', `  ! added${byWhom(change)}`), ...formatChange(change, '    ', paint))
  }
  return lines
}

function byWhom({ manager, time }: DriftChange): string {
  if (manager === undefined) return ''
  return oneLine(time === undefined ? ` by ${manager}` : ` by ${manager} at ${time}`)
}

function formatChange({ path, before, after }: FieldChange, indent: string, paint: Paint): string[] {
  return [
    ...(before === undefined
      ? []
      : formatValue(path, before).map((line) => paint('red', manyLines(`${indent}- ${line}`)))),
    ...(after === undefined
      ? []
      : formatValue(path, after).map((line) => paint('green', manyLines(`${indent}+ ${line}`)))),
  ]
}

/** Scalars stand behind their path; text of several lines and everything else below it. */
function formatValue(name: string, value: unknown): string[] {
  const path = oneLine(name)
  const filled = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  const lines = typeof value === 'string' && isReadable(value) ? value.replace(/\n$/, '').split('\n') : yamlLines(value)
  if (!filled && lines.length === 1) return [`${path}: ${yamlLines(value)[0] ?? ''}`]
  return [`${path}:`, ...lines.map((line) => `    ${line}`.trimEnd())]
}

function yamlLines(value: unknown): string[] {
  return writeYaml(value).trimEnd().split('\n')
}

/** Text with other control characters is written quoted: it comes from the cluster and must not drive the terminal. */
function isReadable(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /\n./.test(text) && !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text)
}
