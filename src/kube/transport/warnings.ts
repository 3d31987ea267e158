/** The texts of `Warning` headers (RFC 9111 once, `299 - "text"`), each once and in order. */
export function parseWarnings(header: string | readonly string[] | undefined): readonly string[] {
  if (header === undefined) return none
  const texts = new Set<string>()
  for (const line of typeof header === 'string' ? [header] : header) {
    // One line may hold several warnings; the quoted text may hold commas and escaped quotes.
    for (const match of line.matchAll(/\b\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)) {
      texts.add((match[1] ?? '').replaceAll(/\\(.)/g, '$1'))
    }
  }
  return [...texts]
}

const none: readonly string[] = []
