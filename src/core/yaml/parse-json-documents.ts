import { parseEvents } from 'js-yaml'
import { isLadingError, type LadingError } from '../errors.ts'
import { isRecord, parseJson } from '../json/json.ts'
import { constructDocuments, type YamlDocument } from './construct.ts'
import { countLineBreaks, errorAt } from './place.ts'
import { asExactDouble, fits64Bits } from './resolve-scalar.ts'
import { type JsonPiece, splitJson } from './split-json.ts'

/** Reads one or more JSON values that follow each other; undefined when the text is not that, but maybe YAML. */
export function parseJsonDocuments(
  text: string,
  maxDepth: number,
  file: string | undefined,
  lenient = false,
): YamlDocument[] | undefined {
  const pieces = splitJson(text)
  if (pieces === undefined) return undefined
  const documents: YamlDocument[] = []
  let line = 1
  let counted = 0
  for (const piece of pieces) {
    line += countLineBreaks(text.slice(counted, piece.start))
    counted = piece.start
    const value = parsePiece(text.slice(piece.start, piece.end))
    if (value === undefined) return undefined
    const document = { value, index: documents.length + 1, line }
    const flaw = flawOf(document, piece, maxDepth)
    if (flaw !== undefined && (!lenient || flaw === 'yaml.limit'))
      throw flawError(flaw, text.slice(piece.start, piece.end), document, file, maxDepth)
    documents.push(document)
  }
  return documents
}

function parsePiece(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof SyntaxError || isLadingError(error, 'yaml.number')) return undefined
    throw error
  }
}

type Flaw = 'yaml.duplicate-key' | 'yaml.limit' | 'yaml.number'

// JSON.parse silently keeps the last of two equal keys: then the text has more colons than the value has keys.
function flawOf(document: YamlDocument, piece: JsonPiece, maxDepth: number): Flaw | undefined {
  if (piece.depth > maxDepth) return 'yaml.limit'
  const tally = { keys: 0, inexact: false }
  tallyValue(document.value, tally)
  if (tally.inexact) return 'yaml.number'
  return tally.keys === piece.colons ? undefined : 'yaml.duplicate-key'
}

function tallyValue(value: unknown, tally: { keys: number; inexact: boolean }): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) value[index] = tallyItem(item, tally)
  } else if (isRecord(value)) {
    for (const key of Object.keys(value)) {
      tally.keys++
      const item = value[key]
      const kept = tallyItem(item, tally)
      if (kept !== item) value[key] = kept
    }
  }
}

function tallyItem(item: unknown, tally: { keys: number; inexact: boolean }): unknown {
  if (typeof item === 'object') tallyValue(item, tally)
  else if (typeof item === 'number' && !Number.isFinite(item)) tally.inexact = true
  else if (typeof item === 'bigint' && !fits64Bits(item)) {
    const double = asExactDouble(item)
    if (double !== undefined) return double
    tally.inexact = true
  }
  return item
}

const problems: Record<Flaw, string> = {
  'yaml.duplicate-key': 'a key is given twice',
  'yaml.limit': 'nested too deep',
  'yaml.number': 'a number is out of range',
}

// The YAML reader knows places, and JSON is close enough to YAML for it to find the same flaw.
function flawError(
  flaw: Flaw,
  text: string,
  document: YamlDocument,
  file: string | undefined,
  maxDepth: number,
): LadingError {
  if (flaw !== 'yaml.limit') {
    try {
      const source = { text, file, firstLine: document.line }
      constructDocuments(parseEvents(text, { maxDepth: maxDepth + 2 }), source, document.index, maxDepth)
    } catch (error) {
      if (isLadingError(error, flaw)) return error
    }
  }
  const place = { file, document: document.index, line: document.line }
  return errorAt(flaw, problems[flaw], place)
}
