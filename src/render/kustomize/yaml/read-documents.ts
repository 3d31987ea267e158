import { type Event, parseEvents, YAMLException } from 'js-yaml'
import { isLadingError, LadingError, parseJson } from '../../../core/index.ts'
import { buildDocument } from './build-document.ts'
import { fromJson, isNull, type Value } from './value.ts'

const maxDepth = 1000
const separator = /\n---(.*)\n/g

/**
 * Reads the documents of a resource or patch file as kustomize does: cut at lines that begin with `---`, one document from
 * each piece, empty ones left out.
 */
export function readDocuments(text: string, file: string): Value[] {
  const documents: Value[] = []
  for (const piece of pieces(text.replaceAll('\r\n', '\n'), file)) {
    const value = readPiece(piece.text, file, piece.line)
    if (value !== undefined && !isNull(value)) documents.push(value)
  }
  return documents
}

function* pieces(text: string, file: string): Generator<{ text: string; line: number }> {
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0
  let line = 1
  for (const match of text.matchAll(separator)) {
    const rest = match[1]!.trim()
    if (rest !== '' && !rest.startsWith('#')) {
      const at = line + countLines(text.slice(start, match.index)) + 1
      const problem = `${file}, line ${at}: "---${match[1]}" is no document separator`
      throw new LadingError('yaml.syntax', problem, { file, line: at })
    }
    // A separator right after another shares its line break with it and is found all the same by the parser.
    const piece = text.slice(start, match.index + 1)
    yield { text: piece, line }
    line += countLines(piece) + 1
    start = match.index + match[0].length
  }
  yield { text: text.slice(start), line }
}

function readPiece(text: string, file: string, firstLine: number): Value | undefined {
  const json = readJson(text)
  if (json !== undefined) return json
  let events: Event[]
  try {
    events = parseEvents(text, { maxDepth: maxDepth + 2 })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    // The parser's own error is no cause here: its message quotes the text around the place, which may be a Secret's.
    const line = firstLine + countLines(text.slice(0, error.mark?.position ?? 0))
    throw new LadingError('yaml.syntax', `${file}, line ${line}: ${error.reason}`, { file, line })
  }
  try {
    return buildDocument(events, text, maxDepth)
  } catch (error) {
    if (!isLadingError(error)) throw error
    const { offset, ...details } = error.details
    const line = firstLine + countLines(text.slice(0, typeof offset === 'number' ? offset : 0))
    throw new LadingError(error.code, `${file}, line ${line}: ${error.message}`, { ...details, file, line })
  }
}

// JSON may be indented with tabs, which the YAML parser does not take.
function readJson(text: string): Value | undefined {
  if (!/^\s*[{[]/.test(text) || !/[}\]]\s*$/.test(text)) return undefined
  try {
    return fromJson(parseJson(text))
  } catch {
    return undefined
  }
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
