/**
 * Go's `filepath.Match`: `*` and `?` never match a slash, `[a-z]` and `[^a]` are classes, a backslash escapes. Undefined where
 * the pattern is malformed.
 */
export function matchPath(pattern: string, name: string): boolean | undefined {
  const pieces = compile(pattern)
  return pieces === undefined ? undefined : matchPieces(pieces, name)
}

type Piece = '*' | ((character: string) => boolean)

function compile(pattern: string): Piece[] | undefined {
  const characters = Array.from(pattern)
  const pieces: Piece[] = []
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!
    if (character === '*') {
      if (pieces.at(-1) !== '*') pieces.push('*')
    } else if (character === '?') {
      pieces.push((other) => other !== '/')
    } else if (character === '[') {
      const parsed = compileClass(characters, at + 1)
      if (parsed === undefined) return undefined
      pieces.push(parsed.matches)
      at = parsed.end
    } else {
      const literal = character === '\\' ? characters[++at] : character
      if (literal === undefined) return undefined
      pieces.push((other) => other === literal)
    }
  }
  return pieces
}

function compileClass(characters: readonly string[], from: number) {
  let at = from
  const negated = characters[at] === '^'
  if (negated) at++
  const ranges: [string, string][] = []
  while (characters[at] !== ']' || ranges.length === 0) {
    const low = classCharacter(characters, at)
    if (low === undefined) return undefined
    at = low.next
    let high = low
    if (characters[at] === '-') {
      const parsed = classCharacter(characters, at + 1)
      if (parsed === undefined) return undefined
      high = parsed
      at = parsed.next
    }
    ranges.push([low.character, high.character])
  }
  const matches = (other: string) =>
    ranges.some(([low, high]) => codeOf(low) <= codeOf(other) && codeOf(other) <= codeOf(high)) !== negated
  return { matches: (other: string) => other !== '/' && matches(other), end: at }
}

function classCharacter(characters: readonly string[], at: number) {
  const first = characters[at]
  if (first === undefined || first === '-' || first === ']') return undefined
  if (first !== '\\') return { character: first, next: at + 1 }
  const escaped = characters[at + 1]
  return escaped === undefined ? undefined : { character: escaped, next: at + 2 }
}

function codeOf(character: string): number {
  return character.codePointAt(0)!
}

// Remembers the last star only: what an earlier one took never has to change, so that time stays within pattern × name.
function matchPieces(pieces: readonly Piece[], name: string): boolean {
  const characters = Array.from(name)
  let piece = 0
  let at = 0
  let star = -1
  let starAt = 0
  while (at < characters.length) {
    const current = pieces[piece]
    if (current === '*') {
      star = piece++
      starAt = at
    } else if (current?.(characters[at]!) === true) {
      piece++
      at++
    } else if (star >= 0 && characters[starAt] !== '/') {
      piece = star + 1
      at = ++starAt
    } else {
      return false
    }
  }
  while (pieces[piece] === '*') piece++
  return piece === pieces.length
}
