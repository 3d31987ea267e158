import { RE2JS, type Matcher, RE2JSSyntaxException } from 're2js'
import { GoError } from '../../../gotemplate/value.ts'

/** Where a match and its groups begin and end; -1 for a group that took no part. */
export interface RegexMatch {
  readonly start: number
  readonly end: number
  group(name: string): string
}

/** Compiles RE2's syntax; a GoError in Go's words where it is wrong. */
export function compileRegex(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    const isBare = !error.message.endsWith('`')
    throw new GoError(isBare ? `${error.message}: \`\`` : error.message)
  }
}

/** Every match that does not overlap one before, as Go finds them: none that is empty right behind another. */
export function* findMatches(regex: RE2JS, text: string): Generator<RegexMatch> {
  const matcher = regex.matcher(text)
  let position = 0
  let lastEnd = -1
  while (position <= text.length && matcher.find(position)) {
    const [start, end] = [matcher.start(), matcher.end()]
    const isEmpty = start === end
    if (!(isEmpty && start === lastEnd)) yield matchOf(matcher, text, start, end)
    lastEnd = end
    if (end > position || !isEmpty) position = end
    if (isEmpty) position = end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1)
  }
}

function matchOf(matcher: Matcher, text: string, start: number, end: number): RegexMatch {
  const names = matcher.namedGroups
  const bounds = Array.from(
    { length: matcher.groupCount() + 1 },
    (_, group) => [matcher.start(group), matcher.end(group)] as const,
  )
  return {
    start,
    end,
    group(name) {
      const number = /^\d+$/.test(name) ? Number(name) : Object.hasOwn(names, name) ? names[name] : undefined
      const [from = -1, to = -1] = number === undefined ? [] : (bounds[number] ?? [])
      return from < 0 ? '' : text.slice(from, to)
    },
  }
}
