import type { ParsedText } from './parse/parser.ts'

/** Parsed texts, kept so that the same text is parsed once; hand one in to share it between sets. */
export class TreeCache {
  readonly #entries = new Map<string, ParsedText>()
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

  get(key: string): ParsedText | undefined {
    return this.#entries.get(key)
  }

  set(key: string, parsed: ParsedText): void {
    if (!this.#entries.has(key)) this.#length += key.length
    this.#entries.set(key, parsed)
    for (const oldest of this.#entries.keys()) {
      if (this.#length <= this.#maxLength) break
      this.#entries.delete(oldest)
      this.#length -= oldest.length
    }
  }
}
