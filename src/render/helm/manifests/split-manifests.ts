/**
 * Cuts rendered text into documents as Helm does: at every line that begins with `---`, whatever follows on it, with the
 * white space around.
 */
export function splitManifests(text: string): string[] {
  const documents: string[] = []
  let start = 0
  const trimmed = trimSpace(text)
  for (const { from, to } of separators(trimmed)) {
    addDocument(documents, trimmed.slice(start, from))
    start = to
  }
  addDocument(documents, trimmed.slice(start))
  return documents
}

/** Go's `strings.TrimSpace`: Unicode's White_Space, which is not quite what `trim` takes. */
export function trimSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

// Only an empty piece is skipped; one of odd white space stays, as an empty document.
function addDocument(documents: string[], piece: string): void {
  if (piece !== '') documents.push(trimSpace(piece))
}

// By hand and not by `(?:^|\s*\n)---\s*`, which takes quadratic time on long runs of white space. As there, a separator takes
// the line breaks around it, so that of two in a row the second is none.
function* separators(text: string): Generator<{ from: number; to: number }> {
  let at = 0
  while (at <= text.length) {
    const found = text.indexOf('---', at)
    if (found < 0) return
    if (found === 0 || (found > at && text.charCodeAt(found - 1) === 0x0a)) {
      let from = found
      while (from > at && isRegexSpace(text.charCodeAt(from - 1))) from--
      let to = found + 3
      while (to < text.length && isRegexSpace(text.charCodeAt(to))) to++
      yield { from, to }
      at = to
    } else {
      at = found + 1
    }
  }
}

// RE2's \s.
function isRegexSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b)
}

function isSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  return /[\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/.test(String.fromCharCode(code))
}
