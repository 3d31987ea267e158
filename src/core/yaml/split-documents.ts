const separator = /(?:^|[\n\r])---(?=[ \t\r\n]|$)/g
const directive = /(?:^|[\n\r])%/

/**
 * Cuts a stream before each `---` line. YAML forbids that line inside of any scalar, block or quoted (1.2.2, 9.1.2), so
 * no document is cut in two; indented ones and `-----BEGIN` are no such line.
 */
export function* splitDocuments(text: string): Generator<string> {
  // Directives stand before the `---` of their document: such a stream stays whole.
  if (directive.test(text)) {
    yield text
    return
  }
  let start = 0
  for (const match of text.matchAll(separator)) {
    const at = match[0] === '---' ? match.index : match.index + 1
    if (at > start) yield text.slice(start, at)
    start = at
  }
  if (start < text.length) yield text.slice(start)
}
