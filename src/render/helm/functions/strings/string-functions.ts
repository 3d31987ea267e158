import { GoError, type GoValue } from '../../../gotemplate/value.ts'
import { atoi } from '../math/cast-number.ts'
import { define, defineVariadic, type FunctionFamily } from '../define-function.ts'
import { checkCount, checkLength, type FunctionEnvironment } from '../environment.ts'
import { quote } from '../../../gotemplate/format/quote.ts'
import { formatValue, stringValue } from '../formats/format-value.ts'
import { bytesOf, sliceBytes } from '../encoding/go-bytes.ts'
import { byteLength } from '../../../gotemplate/format/bytes.ts'
import { isSpace, swapCase, title, toLower, toUpper, untitle } from './letter-case.ts'
import { int, newMap, strings } from '../dicts/make-value.ts'
import { countParts, split, stringSlice } from './split-text.ts'
import { camelCase, connectWords } from './word-case.ts'
import { abbreviate, wrapText } from './wrap-text.ts'

/** Sprig's functions over text; positions and lengths count bytes, as in Go. */
export function stringFunctions(environment: FunctionEnvironment): FunctionFamily {
  const { limits } = environment
  const limitedSplit = (separator: string, text: string, count = -1) => {
    checkCount(countParts(text, separator), limits)
    return split(text, separator, count)
  }
  return {
    hello: define([], () => 'Hello!'),
    abbrev: define(['int', 'string'], (width, text) => (width < 4 ? text : abbreviate(text, 0, width))),
    abbrevboth: define(['int', 'int', 'string'], (left, right, text) =>
      right < 4 || (left > 0 && right < 7) ? text : abbreviate(text, left, right),
    ),
    trunc: define(['int', 'string'], truncate),
    trim: define(['string'], (text) => trimWhere(text, isSpace)),
    upper: define(['string'], toUpper),
    lower: define(['string'], toLower),
    title: define(['string'], title),
    untitle: define(['string'], untitle),
    substr: define(['int', 'int', 'string'], substring),
    repeat: define(['int', 'string'], (count, text) => repeat(text, count, limits)),
    trimall: trimAll,
    trimAll,
    trimSuffix: define(['string', 'string'], (end, text) =>
      text.endsWith(end) ? text.slice(0, text.length - end.length) : text,
    ),
    trimPrefix: define(['string', 'string'], (start, text) =>
      text.startsWith(start) ? text.slice(start.length) : text,
    ),
    nospace: define(['string'], (text) => fromLatin(text, (letters) => letters.filter((letter) => !isSpace(letter)))),
    initials: define(['string'], initials),
    swapcase: define(['string'], swapCase),
    snakecase: define(['string'], (text) => connectWords(text, '_')),
    kebabcase: define(['string'], (text) => connectWords(text, '-')),
    camelcase: define(['string'], camelCase),
    wrap: define(['int', 'string'], (width, text) => wrapText(text, width, '', false)),
    wrapWith: define(['int', 'string', 'string'], (width, lineBreak, text) => {
      checkLength((byteLength(text) / Math.max(width, 1)) * lineBreak.length, limits)
      return wrapText(text, width, lineBreak, true)
    }),
    contains: define(['string', 'string'], (part, text) => text.includes(part)),
    hasPrefix: define(['string', 'string'], (start, text) => text.startsWith(start)),
    hasSuffix: define(['string', 'string'], (end, text) => text.endsWith(end)),
    quote: defineVariadic([], 'any', (values) =>
      present(values)
        .map((value) => quote(stringValue(value)))
        .join(' '),
    ),
    squote: defineVariadic([], 'any', (values) =>
      present(values)
        .map((value) => `'${formatValue(value)}'`)
        .join(' '),
    ),
    cat: defineVariadic([], 'any', (values) => present(values).map(formatValue).join(' ')),
    indent: define(['int', 'string'], (spaces, text) => indent(spaces, text, limits)),
    nindent: define(['int', 'string'], (spaces, text) => `\n${indent(spaces, text, limits)}`),
    replace: define(['string', 'string', 'string'], (old, replacement, text) => {
      const pieces = old === '' ? ['', ...Array.from(text), ''] : text.split(old)
      checkLength(text.length + pieces.length * replacement.length, limits)
      return text === '' && old === '' ? replacement : pieces.join(replacement)
    }),
    plural: define(['string', 'string', 'int'], (one, many, count) => (count === 1 ? one : many)),
    toString: define(['any'], stringValue),
    atoi: define(['string'], (text) => int(atoi(text))),
    split: define(['string', 'string'], (separator, text) => numbered(limitedSplit(separator, text))),
    splitn: define(['string', 'int', 'string'], (separator, count, text) =>
      numbered(limitedSplit(separator, text, count)),
    ),
    splitList: define(['string', 'string'], (separator, text) => strings(limitedSplit(separator, text))),
    toStrings: define(['any'], (value) => strings(stringSlice(value))),
    join: define(['string', 'any'], (separator, value) => {
      const parts = stringSlice(value)
      checkLength(parts.length * separator.length, limits)
      return parts.join(separator)
    }),
  }
}

const trimAll = define(['string', 'string'], (letters, text) => {
  const cut = new Set(Array.from(letters))
  return trimWhere(text, (letter) => cut.has(letter))
})

function trimWhere(text: string, isCut: (character: string) => boolean): string {
  const characters = Array.from(text)
  let [start, end] = [0, characters.length]
  while (start < end && isCut(characters[start]!)) start++
  while (end > start && isCut(characters[end - 1]!)) end--
  return end - start === characters.length ? text : characters.slice(start, end).join('')
}

function truncate(count: number, text: string): string {
  const length = byteLength(text)
  if (count < 0 && length + count > 0) return sliceBytes(text, length + count)
  return count >= 0 && length > count ? sliceBytes(text, 0, count) : text
}

function substring(start: number, end: number, text: string): string {
  const length = byteLength(text)
  if (start < 0) {
    if (end < 0) throw outOfRange(`[:${end}]`)
    if (end > length) throw outOfRange(`[:${end}] with length ${length}`)
    return sliceBytes(text, 0, end)
  }
  const stop = end < 0 || end > length ? length : end
  if (start > stop) throw outOfRange(`[${start}:${stop}]`)
  return sliceBytes(text, start, stop)
}

function outOfRange(bounds: string): GoError {
  return new GoError(`runtime error: slice bounds out of range ${bounds}`)
}

function repeat(text: string, count: number, limits: FunctionEnvironment['limits']): string {
  if (count < 0) throw new GoError('strings: negative Repeat count')
  checkLength(byteLength(text) * count, limits)
  return text.repeat(count)
}

function indent(spaces: number, text: string, limits: FunctionEnvironment['limits']): string {
  const pad = repeat(' ', spaces, limits)
  const lines = text.split('\n')
  checkLength(text.length + lines.length * spaces, limits)
  return pad + lines.join(`\n${pad}`)
}

function present(values: readonly GoValue[]): GoValue[] {
  return values.filter((value) => value !== null && value !== undefined)
}

function numbered(parts: readonly string[]): GoValue {
  const map = newMap('map[string]string')
  for (const [at, part] of parts.entries()) map[`_${at}`] = part
  return map
}

// Goutils looks at bytes and writes each as the character of that number; text without a change stays as it is.
function fromLatin(text: string, change: (letters: string[]) => string[]): string {
  const letters = Array.from(bytesOf(text).toString('latin1'))
  const changed = change(letters)
  return changed.length === letters.length ? text : changed.join('')
}

function initials(text: string): string {
  let afterSpace = true
  return Array.from(bytesOf(text).toString('latin1'), (letter) => {
    const isFirst = afterSpace && !isSpace(letter)
    afterSpace = isSpace(letter)
    return isFirst ? letter : ''
  }).join('')
}
