import {
  type Event,
  EVENT_ID,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from 'js-yaml'
import { isRecord } from '../json/json.ts'
import { countLineBreaks, errorAt, lineAndColumn } from './place.ts'
import { relaxFlow } from './relax-flow.ts'
import { splitDocuments } from './split-documents.ts'
import { writeQuoted } from './write-string.ts'

/** A scalar of YAML text. */
export interface YamlScalar {
  /** Its text, without quotes, indentation and escapes. */
  readonly text: string
  readonly isKey: boolean
  /** Whether it is written without quotes and not as a block. */
  readonly isPlain: boolean
}

/**
 * Replaces scalars of YAML text by values that are written so that they can be nothing but values, and keeps everything around them, line
 * for line. `replace` returns undefined for a scalar that stays.
 */
export function replaceScalars(
  text: string,
  replace: (scalar: YamlScalar) => { readonly value: unknown } | undefined,
  { file }: { readonly file?: string } = {},
): string {
  let written = ''
  let firstLine = 1
  for (const piece of splitDocuments(text)) {
    const { content, events } = parsePiece(piece, firstLine, file)
    written += replaceIn(content, events, replace)
    firstLine += countLineBreaks(piece)
  }
  return written
}

const maxDepth = 1002

function parsePiece(piece: string, firstLine: number, file: string | undefined) {
  try {
    return { content: piece, events: parseEvents(piece, { maxDepth }) }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const content = relaxFlow(piece)
    try {
      if (content !== piece) return { content, events: parseEvents(content, { maxDepth }) }
    } catch {
      // The error of the text as it was written is the one to report.
    }
    // The parser's own message quotes the text around the place, which may be a Secret's.
    const place = lineAndColumn({ text: piece, file, firstLine }, error.mark?.position ?? 0)
    throw errorAt('yaml.syntax', error.reason, { file, document: 1, ...place })
  }
}

function replaceIn(
  text: string,
  events: readonly Event[],
  replace: (scalar: YamlScalar) => { readonly value: unknown } | undefined,
): string {
  let written = ''
  let copied = 0
  let previousEnd = 0
  for (const { event, isKey } of scalarsOf(events)) {
    const isPlain = event.style === SCALAR_STYLE.PLAIN
    const found = replace({ text: getScalarValue(text, event), isKey, isPlain })
    if (found !== undefined) {
      const { start, end } = rangeOf(text, event, previousEnd)
      // As many line breaks as before, so that the lines below keep their numbers.
      const breaks = '\n'.repeat(countLineBreaks(text.slice(start, end)))
      written += text.slice(copied, start) + writeFlow(found.value) + breaks
      copied = end
    }
    previousEnd = event.valueEnd
  }
  return written + text.slice(copied)
}

/** Every scalar, and whether it is the key of a mapping. */
function* scalarsOf(events: readonly Event[]): Generator<{ readonly event: ScalarEvent; readonly isKey: boolean }> {
  const open: { readonly isMapping: boolean; awaitsKey: boolean }[] = []
  const took = (): boolean => {
    const inner = open.at(-1)
    if (inner === undefined || !inner.isMapping) return false
    inner.awaitsKey = !inner.awaitsKey
    return !inner.awaitsKey
  }
  for (const event of events) {
    switch (event.type) {
      case EVENT_ID.SCALAR:
        yield { event, isKey: took() }
        break
      case EVENT_ID.ALIAS:
        took()
        break
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE:
        took()
        open.push({ isMapping: event.type === EVENT_ID.MAPPING, awaitsKey: true })
        break
      case EVENT_ID.DOCUMENT:
        open.push({ isMapping: false, awaitsKey: false })
        break
      case EVENT_ID.POP:
        open.pop()
        break
    }
  }
}

/** Where a scalar stands with its quotes, or with the header of its block. */
function rangeOf(
  text: string,
  event: ScalarEvent,
  previousEnd: number,
): { readonly start: number; readonly end: number } {
  const { valueStart, valueEnd, style, tagEnd, anchorEnd } = event
  switch (style) {
    case SCALAR_STYLE.SINGLE_QUOTED:
    case SCALAR_STYLE.DOUBLE_QUOTED:
      return { start: valueStart - 1, end: valueEnd + 1 }
    case SCALAR_STYLE.LITERAL_BLOCK:
    case SCALAR_STYLE.FOLDED_BLOCK: {
      // The header is the last thing on the line before the content, but for a comment after it.
      const line = text.lastIndexOf('\n', valueStart - 2) + 1
      const from = Math.max(line, previousEnd, tagEnd, anchorEnd)
      return { start: from + text.slice(from).search(/[|>]/), end: valueEnd }
    }
    default:
      return { start: valueStart, end: valueEnd }
  }
}

function writeFlow(value: unknown): string {
  if (typeof value === 'string') return writeQuoted(value)
  if (Array.isArray(value)) return `[${value.map(writeFlow).join(', ')}]`
  if (!isRecord(value)) return String(value)
  return `{${Object.entries(value)
    .map(([key, item]) => `${writeQuoted(key)}: ${writeFlow(item)}`)
    .join(', ')}}`
}
