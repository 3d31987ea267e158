import { RE2JS } from 're2js'

/**
 * A matcher for the patterns of `.Files.Glob`: `*` and `?` stay within a folder, `**` does not, `[a-z]`, `[!a]` and `{a,b}` are
 * alternatives. A pattern that is malformed matches every file, as in Helm.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const expression = translate(Array.from(pattern))
  if (expression === undefined) return () => true
  const compiled = RE2JS.compile(`^(?:${expression})$`, RE2JS.DOTALL)
  return (path) => compiled.matcher(path).find()
}

function translate(characters: readonly string[]): string | undefined {
  let expression = ''
  let braces = 0
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!
    switch (character) {
      case '*':
        if (characters[at + 1] === '*') {
          expression += '.*'
          while (characters[at + 1] === '*') at++
        } else expression += '[^/]*'
        break
      case '?':
        expression += '[^/]'
        break
      case '[': {
        const end = characters.indexOf(']', at + 2)
        if (end < 0) return undefined
        expression += translateClass(characters.slice(at + 1, end))
        at = end
        break
      }
      case '{':
        braces++
        expression += '(?:'
        break
      case '}':
        if (--braces < 0) return undefined
        expression += ')'
        break
      case ',':
        expression += braces > 0 ? '|' : ','
        break
      case '\\':
        if (++at >= characters.length) return undefined
        expression += RE2JS.quote(characters[at]!)
        break
      default:
        expression += RE2JS.quote(character)
    }
  }
  return braces === 0 ? expression : undefined
}

function translateClass(characters: readonly string[]): string {
  const negated = characters[0] === '!'
  const inner = negated ? characters.slice(1) : characters
  const isRange = inner.length === 3 && inner[1] === '-'
  const text = inner
    .map((character, at) => (isRange && at === 1 ? '-' : character.replace(/[\]\\^[-]/, '\\$&')))
    .join('')
  return `[${negated ? '^' : ''}${text}]`
}
