import { quote, canBackquote } from '../../../gotemplate/format/quote.ts'
import { GoError, type GoValue } from '../../../gotemplate/value.ts'
import type { RE2JS } from 're2js'
import { define, type FunctionFamily } from '../define-function.ts'
import { checkCount, checkLength, type FunctionEnvironment } from '../environment.ts'
import { strings } from '../dicts/make-value.ts'
import { compileRegex, findMatches, type RegexMatch } from './match-regex.ts'
import { nilStrings } from '../dicts/nil-values.ts'

/** Sprig's regular expressions, in RE2's syntax and its linear time. */
export function regexFunctions(environment: FunctionEnvironment): FunctionFamily {
  const cache = new Map<string, RE2JS>()
  const compile = (pattern: string) => {
    const known = cache.get(pattern)
    if (known !== undefined) return known
    checkLength(pattern.length, { ...environment.limits, textLength: longestPattern })
    const regex = compileRegex(pattern)
    cache.set(pattern, regex)
    return regex
  }
  const panicking = (pattern: string) => {
    try {
      return compile(pattern)
    } catch (error) {
      if (!(error instanceof GoError)) throw error
      const shown = canBackquote(pattern) ? `\`${pattern}\`` : quote(pattern)
      throw new GoError(`regexp: Compile(${shown}): ${error.message}`)
    }
  }
  const family: Record<string, FunctionFamily[string]> = {
    regexMatch: define(['string', 'string'], (pattern, text) => {
      try {
        return compile(pattern).matcher(text).find()
      } catch (error) {
        if (error instanceof GoError) return false
        throw error
      }
    }),
    mustRegexMatch: define(['string', 'string'], (pattern, text) => compile(pattern).matcher(text).find()),
    regexQuoteMeta: define(['string'], (text) => text.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`)),
  }
  for (const [must, find] of [
    ['regex', panicking],
    ['mustRegex', compile],
  ] as const) {
    family[`${must}Find`] = define(['string', 'string'], (pattern, text) => {
      const matcher = find(pattern).matcher(text)
      return matcher.find() ? text.slice(matcher.start(), matcher.end()) : ''
    })
    family[`${must}FindAll`] = define(['string', 'string', 'int'], (pattern, text, count) =>
      findAll(find(pattern), text, count, environment),
    )
    family[`${must}ReplaceAll`] = define(['string', 'string', 'string'], (pattern, text, replacement) =>
      replaceAll(find(pattern), text, (match) => expand(replacement, match), environment),
    )
    family[`${must}ReplaceAllLiteral`] = define(['string', 'string', 'string'], (pattern, text, replacement) =>
      replaceAll(find(pattern), text, () => replacement, environment),
    )
    family[`${must}Split`] = define(['string', 'string', 'int'], (pattern, text, count) =>
      splitBy(find(pattern), text, count, environment),
    )
  }
  return family
}

const longestPattern = 10_000

function findAll(regex: RE2JS, text: string, count: number, environment: FunctionEnvironment): GoValue {
  const found: string[] = []
  for (const match of findMatches(regex, text)) {
    if (count >= 0 && found.length >= count) break
    checkCount(found.length, environment.limits)
    found.push(text.slice(match.start, match.end))
  }
  return found.length === 0 ? nilStrings : strings(found)
}

function replaceAll(
  regex: RE2JS,
  text: string,
  replacement: (match: RegexMatch) => string,
  environment: FunctionEnvironment,
): string {
  const parts: string[] = []
  let [from, length] = [0, 0]
  for (const match of findMatches(regex, text)) {
    const inserted = replacement(match)
    length += inserted.length
    checkLength(length, environment.limits)
    parts.push(text.slice(from, match.start), inserted)
    from = match.end
  }
  return parts.join('') + text.slice(from)
}

// `$1x` is the group named 1x; `${1}x` is the first group and an x.
function expand(template: string, match: RegexMatch): string {
  return template.replaceAll(
    /\$(?:\$|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu,
    (whole, braced?: string, bare?: string) => (whole === '$$' ? '$' : match.group(braced ?? bare ?? '')),
  )
}

function splitBy(regex: RE2JS, text: string, count: number, environment: FunctionEnvironment): GoValue {
  if (count === 0) return nilStrings
  if (regex.pattern() !== '' && text === '') return strings([''])
  const parts: string[] = []
  let [from, end] = [0, 0]
  for (const match of findMatches(regex, text)) {
    if (count > 0 && parts.length === count - 1) break
    checkCount(parts.length, environment.limits)
    end = match.start
    if (match.end !== 0) parts.push(text.slice(from, end))
    from = match.end
  }
  if (end !== text.length) parts.push(text.slice(from))
  return strings(parts)
}
