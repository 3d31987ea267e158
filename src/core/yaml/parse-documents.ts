import { type Event, parseEvents, YAMLException } from 'js-yaml'
import { LadingError } from '../errors.ts'
import { constructDocuments, type Reading, type YamlDocument } from './construct.ts'
import { parseJsonDocuments } from './parse-json-documents.ts'
import { countLineBreaks, errorAt, lineAndColumn, type Source } from './place.ts'
import { relaxFlow } from './relax-flow.ts'
import { splitDocuments } from './split-documents.ts'

/** How text is read. */
export interface ReadOptions {
  /** Names the input in errors. */
  readonly file?: string
  /** The longest input, in characters (default: 128 Mi). */
  readonly maxLength?: number
  /** The deepest nesting (default: 1000). */
  readonly maxDepth?: number
  /** Reads as Helm does: of two equal keys the last counts, and an integer past 64 bits is a float. */
  readonly lenient?: boolean
  /** Reads as go-yaml does: a block scalar that the text ends within has no line break after its last line. */
  readonly openEnd?: boolean
}

const defaultMaxLength = 128 * 1024 * 1024
const defaultMaxDepth = 1000

/** Reads every document of YAML or JSON text, one JSON value after another included; empty documents have the value null. */
export function parseDocuments(text: string, options: ReadOptions = {}): YamlDocument[] {
  const maxLength = options.maxLength ?? defaultMaxLength
  if (text.length > maxLength) {
    const problem = `${options.file ?? 'the input'} has ${text.length} characters, maxLength allows ${maxLength}`
    throw new LadingError('input.too-large', problem, { file: options.file, length: text.length, maxLength })
  }
  const maxDepth = options.maxDepth ?? defaultMaxDepth
  const content = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  const lenient = options.lenient ?? false
  return parseJsonDocuments(content, maxDepth, options.file, lenient) ?? parseYamlDocuments(content, maxDepth, options)
}

/** Reads text that holds one document at most, like a values file; null when it holds none. */
export function parseYamlValue(text: string, options: ReadOptions = {}): unknown {
  const documents = parseDocuments(text, options).filter((document) => document.value !== null)
  const second = documents[1]
  if (second !== undefined) {
    const place = {
      file: options.file,
      document: second.index,
      line: second.line,
    }
    throw errorAt('yaml.syntax', 'a second document stands where one is expected', place)
  }
  return documents[0]?.value ?? null
}

// One document at a time, so that the parser's events of a large stream are never all in memory.
function parseYamlDocuments(text: string, maxDepth: number, options: ReadOptions): YamlDocument[] {
  const { file } = options
  const documents: YamlDocument[] = []
  let firstLine = 1
  for (const piece of splitDocuments(text)) {
    const source: Source = { text: piece, file, firstLine }
    for (const document of parsePiece(source, maxDepth, documents.length + 1, options)) documents.push(document)
    firstLine += countLineBreaks(piece)
  }
  return documents
}

function parsePiece(source: Source, maxDepth: number, firstIndex: number, reading: Reading): YamlDocument[] {
  // The parser counts the scalar at the bottom, and a flow collection that might be a key, as one level more each.
  const levels = maxDepth + 2
  try {
    return constructDocuments(parseEvents(source.text, { maxDepth: levels }), source, firstIndex, maxDepth, reading)
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const relaxed = { ...source, text: relaxFlow(source.text) }
    const events = relaxed.text === source.text ? undefined : tryEvents(relaxed.text, levels)
    if (events === undefined) throw syntaxError(error, source, maxDepth, levels, firstIndex)
    return constructDocuments(events, relaxed, firstIndex, maxDepth, reading)
  }
}

function tryEvents(text: string, maxDepth: number): Event[] | undefined {
  try {
    return parseEvents(text, { maxDepth })
  } catch (error) {
    if (error instanceof YAMLException) return undefined
    throw error
  }
}

// The parser's own error is no cause here: its message quotes the text around the place, which may be a Secret's.
function syntaxError(
  error: YAMLException,
  source: Source,
  maxDepth: number,
  levels: number,
  firstIndex: number,
): LadingError {
  const offset = error.mark?.position ?? 0
  const { file } = source
  const place = { file, document: firstIndex, ...lineAndColumn(source, offset) }
  return isTooDeep(source.text, levels, offset)
    ? errorAt('yaml.limit', `nested deeper than ${maxDepth} levels`, place)
    : errorAt('yaml.syntax', error.reason, place)
}

// The parser tells too deep from malformed by its words only. Too deep fails elsewhere, or not, with one level more.
function isTooDeep(text: string, levels: number, offset: number): boolean {
  try {
    parseEvents(text, { maxDepth: levels + 1 })
    return true
  } catch (error) {
    return error instanceof YAMLException && error.mark?.position !== offset
  }
}
