/** A piece of a Go layout: literal text, or what stands for a part of the time. */
export interface LayoutPiece {
  readonly kind: 'literal' | 'field'
  readonly text: string
}

// In the order in which Go's scanner prefers them at the same place.
const field =
  /January|Jan(?!uary)|Monday|Mon(?!day)|MST|(?:002|_2006|__2|_2(?!006))|01|02|03|04|05|06|1(?:5)?|2006|2|3|4|5|PM|pm|-07:00:00|-07:00|-070000|-0700|-07|Z07:00:00|Z07:00|Z070000|Z0700|Z07|[.,](?:0+|9+)(?!\d)/y

/** Splits a layout into its fields and the text between them. */
export function splitLayout(layout: string): LayoutPiece[] {
  const pieces: LayoutPiece[] = []
  let literal = ''
  for (let at = 0; at < layout.length;) {
    const found = fieldAt(layout, at)
    if (found === undefined) {
      literal += layout[at++]
      continue
    }
    if (found === '_2006') {
      // An underscore before the year is an underscore.
      literal += '_'
      at += 1
      continue
    }
    if (literal !== '') pieces.push({ kind: 'literal', text: literal })
    literal = ''
    pieces.push({ kind: 'field', text: found })
    at += found.length
  }
  if (literal !== '') pieces.push({ kind: 'literal', text: literal })
  return pieces
}

function fieldAt(layout: string, at: number): string | undefined {
  field.lastIndex = at
  const found = field.exec(layout)?.[0]
  if (found === undefined) return undefined
  // "Jan" is no month inside of a longer word: Go asks that no lower-case letter follows.
  if ((found === 'Jan' || found === 'Mon') && /^[a-z]/.test(layout.slice(at + 3, at + 4))) return undefined
  return found
}
