import type { ParsedText } from './parse/parser.ts'

/** Parsed texts, kept so that the same text is parsed once; hand one in to share it between sets. */
export class TreeCache {
  readonly #entries = new Map<string, Map<string, ParsedText>>()
  readonly #maxLength: number
  #length = 0

  /** Keeps texts of this many characters together, and drops the oldest beyond. */
  constructor(maxLength = 1 << 25) {
    this.#maxLength = maxLength
  }

  /** Characters of all texts that are kept. */
  get length(): number {
    return this.#length
  }

  /** What a text was parsed to; `key` says under which name and delimiters. */
  get(text: string, key: string): ParsedText | undefined {
    return this.#entries.get(text)?.get(key)
  }

  set(text: string, key: string, parsed: ParsedText): void {
    const known = this.#entries.get(text)
    if (known === undefined) {
      this.#length += text.length
      this.#entries.set(text, new Map([[key, parsed]]))
    } else {
      known.set(key, parsed)
    }
    for (const oldest of this.#entries.keys()) {
      if (this.#length <= this.#maxLength) break
      this.#entries.delete(oldest)
      this.#length -= oldest.length
    }
  }
}
