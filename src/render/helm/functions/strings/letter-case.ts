// Go maps one character to one: where Unicode's full mapping has several, the simple one counts.
const simpleUpper: Readonly<Record<string, string>> = { ᾳ: 'ᾼ', ῃ: 'ῌ', ῳ: 'ῼ' }
const titles: Readonly<Record<string, string>> = {
  Ǆ: 'ǅ',
  ǅ: 'ǅ',
  ǆ: 'ǅ',
  Ǉ: 'ǈ',
  ǈ: 'ǈ',
  ǉ: 'ǈ',
  Ǌ: 'ǋ',
  ǋ: 'ǋ',
  ǌ: 'ǋ',
  Ǳ: 'ǲ',
  ǲ: 'ǲ',
  ǳ: 'ǲ',
}

/** Go's `unicode.ToUpper` of one character. */
export function upperRune(character: string): string {
  const upper = character.toUpperCase()
  if (isOne(upper)) return upper
  const code = character.codePointAt(0)!
  if (code >= 0x1f80 && code <= 0x1faf && (code & 8) === 0) return String.fromCodePoint(code + 8)
  return simpleUpper[character] ?? character
}

/** Go's `unicode.ToLower` of one character. */
export function lowerRune(character: string): string {
  const lower = character.toLowerCase()
  return isOne(lower) ? lower : character === 'İ' ? 'i' : character
}

// Go's `unicode.ToTitle` of one character.
function titleRune(character: string): string {
  return titles[character] ?? upperRune(character)
}

/** Go's `strings.ToUpper`. */
export function toUpper(text: string): string {
  return Array.from(text, upperRune).join('')
}

/** Go's `strings.ToLower`. */
export function toLower(text: string): string {
  return Array.from(text, lowerRune).join('')
}

/** Whether Go's `unicode.IsUpper` holds. */
export function isUpper(character: string): boolean {
  return /^\p{Lu}$/u.test(character)
}

function isLower(character: string): boolean {
  return /^\p{Ll}$/u.test(character)
}

/** Whether Go's `unicode.IsSpace` holds. */
export function isSpace(character: string): boolean {
  return /^[\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/.test(character)
}

/** Go's `strings.Title`: the first letter of every word. */
export function title(text: string): string {
  let before = ' '
  return Array.from(text, (character) => {
    const result = isSeparator(before) ? titleRune(character) : character
    before = character
    return result
  }).join('')
}

/** The first letter of every word between spaces in lower case. */
export function untitle(text: string): string {
  let atStart = true
  return Array.from(text, (character) => {
    if (isSpace(character)) {
      atStart = true
      return character
    }
    const result = atStart ? lowerRune(character) : character
    atStart = false
    return result
  }).join('')
}

/** Upper case to lower and back; a lower-case letter at a word's start gets its title case. */
export function swapCase(text: string): string {
  let afterSpace = true
  return Array.from(text, (character) => {
    if (isUpper(character) || /^\p{Lt}$/u.test(character)) {
      afterSpace = false
      return lowerRune(character)
    }
    if (isLower(character)) {
      const result = afterSpace ? titleRune(character) : upperRune(character)
      afterSpace = false
      return result
    }
    afterSpace = isSpace(character)
    return character
  }).join('')
}

function isOne(text: string): boolean {
  return text.length === 1 || Array.from(text).length === 1
}

function isSeparator(character: string): boolean {
  if (character.charCodeAt(0) <= 0x7f) return !/^[0-9A-Za-z_]$/.test(character)
  return !/^[\p{L}\p{Nd}]$/u.test(character) && isSpace(character)
}
