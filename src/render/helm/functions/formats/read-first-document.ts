import { isLadingError } from '../../../../core/index.ts'
import { parseDocuments } from '../../../../core/yaml/index.ts'

/**
 * Reads the first document of a text as go-yaml's Unmarshal does: what stands after it is never looked at. It ends with a line of
 * dashes or dots, or where a line begins further to the left than its first one.
 */
export function readFirstDocument(text: string, maxDepth: number): unknown {
  const read = (part: string) => parseDocuments(part, { maxDepth, lenient: true, openEnd: true })[0]?.value ?? null
  try {
    return read(text)
  } catch (error) {
    const line = isLadingError(error) ? error.details.line : undefined
    const first = line === undefined ? undefined : firstDocument(text, line)
    if (first === undefined) throw error
    return read(first)
  }
}

/** What stands before the end of the first document, where that is at the line of an error or before it. */
function firstDocument(text: string, errorLine: number): string | undefined {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => /^ *[^ #\r]/.test(line) && !/^(?:---\s*$|%)/.test(line))
  const indent = indentOf(lines[start] ?? '')
  const end = lines.findIndex(
    (line, at) => at > start && (marker.test(line) || (at === errorLine - 1 && indentOf(line) < indent)),
  )
  return start < 0 || end < 0 || end > errorLine - 1 ? undefined : `${lines.slice(0, end).join('\n')}\n`
}

const marker = /^(?:---|\.\.\.)(?:\s|$)/

// A tab indents nothing.
function indentOf(line: string): number {
  return /^ *(?=[^ \t])/.exec(line)?.[0].length ?? Number.POSITIVE_INFINITY
}
