/** One JSON value within a text. */
export interface JsonPiece {
  readonly start: number
  readonly end: number
  /** Colons outside of strings: in valid JSON, one for each key. */
  readonly colons: number
  readonly depth: number
}

/** Finds the maps and lists that follow each other in a text; undefined when there is anything else between them. */
export function splitJson(text: string): JsonPiece[] | undefined {
  const pieces: JsonPiece[] = []
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const piece = scanPiece(text, at)
    if (piece === undefined) return undefined
    pieces.push(piece)
    at = piece.end
  }
  return pieces.length === 0 ? undefined : pieces
}

function scanPiece(text: string, start: number): JsonPiece | undefined {
  let colons = 0
  let open = 0
  let depth = 0
  for (let at = start; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at)
        break
      case 0x3a:
        colons++
        break
      case 0x7b:
      case 0x5b:
        open++
        if (open > depth) depth = open
        break
      case 0x7d:
      case 0x5d:
        open--
        break
      default:
    }
    if (open === 0) return depth === 0 ? undefined : { start, end: at + 1, colons, depth }
  }
  return undefined
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \n\r\t'.includes(text[at]!)) at++
  return at
}
