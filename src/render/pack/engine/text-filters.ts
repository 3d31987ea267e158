import { createHash } from 'node:crypto'
import { count, display, map, text, TemplateFailure } from './value.ts'
import { escapeReplacement, findAll, regex } from './match-regex.ts'
import type { FilterTable } from './filter.ts'

const longestText = 8 * 1024 * 1024

/** Filters that work on text, by the names that Sherpack gives them. */
export const textFilters: FilterTable = {
  b64encode: (value) => Buffer.from(text(value, 'b64encode')).toString('base64'),
  b64decode: (value) => decodeBase64(text(value, 'b64decode')),
  quote: (value) => `"${display(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
  squote: (value) => `'${display(value).replaceAll("'", "''")}'`,
  indent: (value, spaces) => indented(text(value, 'indent'), count(spaces, 'indent')),
  nindent: (value, spaces) => `\n${indented(text(value, 'nindent'), count(spaces, 'nindent'))}`,
  sha1: (value) => hash('sha1', value),
  sha256: (value) => hash('sha256', value),
  sha512: (value) => hash('sha512', value),
  md5: (value) => hash('md5', value),
  trunc: (value, length) => Array.from(text(value, 'trunc')).slice(0, count(length, 'trunc')).join(''),
  trimprefix: (value, prefix) => withoutPrefix(text(value, 'trimprefix'), text(prefix, 'trimprefix')),
  trimsuffix: (value, suffix) => withoutSuffix(text(value, 'trimsuffix'), text(suffix, 'trimsuffix')),
  hasprefix: (value, prefix) => text(value, 'hasprefix').startsWith(text(prefix, 'hasprefix')),
  hassuffix: (value, suffix) => text(value, 'hassuffix').endsWith(text(suffix, 'hassuffix')),
  snakecase: (value) => snakeCase(text(value, 'snakecase')),
  kebabcase: (value) => snakeCase(text(value, 'kebabcase')).replaceAll('_', '-'),
  camelcase: (value) => joinedWords(text(value, 'camelcase').toLowerCase()),
  pascalcase: (value) => joinedWords(`-${text(value, 'pascalcase')}`),
  repeat: (value, times) => repeated(text(value, 'repeat'), count(times, 'repeat')),
  substr: (value, start, length) => substring(text(value, 'substr'), count(start, 'substr'), length),
  wrap: (value, width) => wrapped(text(value, 'wrap'), count(width, 'wrap')),
  basename: (value) => baseName(text(value, 'basename')),
  dirname: (value) => folderName(text(value, 'dirname')),
  extname: (value) => /[^/]\.([^./]*)$/.exec(text(value, 'extname'))?.[1] ?? '',
  cleanpath: (value) => cleanPath(text(value, 'cleanpath')),
  regex_match: (value, pattern) => regex(text(pattern, 'regex_match')).matcher(text(value, 'regex_match')).find(),
  regex_find: (value, pattern) => findAll(text(pattern, 'regex_find'), text(value, 'regex_find'))[0] ?? '',
  regex_find_all: (value, pattern) => findAll(text(pattern, 'regex_find_all'), text(value, 'regex_find_all')),
  regex_replace: (value, pattern, replacement) =>
    regex(text(pattern, 'regex_replace'))
      .matcher(text(value, 'regex_replace'))
      .replaceAll(escapeReplacement(text(replacement, 'regex_replace'))),
  tostrings: (value, options) => toStrings(value, options),
}

function hash(algorithm: string, value: unknown): string {
  return createHash(algorithm).update(text(value, algorithm)).digest('hex')
}

function decodeBase64(value: string): string {
  if (value.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) {
    throw new TemplateFailure('b64decode: this is no base64')
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(value, 'base64'))
  } catch {
    throw new TemplateFailure('b64decode: what it holds is no UTF-8 text')
  }
}

// Lines without text stay empty, and a line break at the end is dropped.
function indented(value: string, spaces: number): string {
  const lines = value.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  if (lines.length * spaces > longestText) throw tooLong('indent')
  return lines.map((line) => (line === '' ? '' : ' '.repeat(spaces) + line)).join('\n')
}

function withoutPrefix(value: string, prefix: string): string {
  return value.startsWith(prefix) ? value.slice(prefix.length) : value
}

function withoutSuffix(value: string, suffix: string): string {
  return suffix !== '' && value.endsWith(suffix) ? value.slice(0, -suffix.length) : value
}

function snakeCase(value: string): string {
  let result = ''
  let isAfterUpper = false
  for (const [at, letter] of Array.from(value).entries()) {
    const isUpper = /\p{Lu}/u.test(letter)
    if (isUpper && at > 0 && !isAfterUpper) result += '_'
    result += letter === '-' || letter === ' ' ? '_' : letter.toLowerCase()
    isAfterUpper = isUpper
  }
  return result
}

function joinedWords(value: string): string {
  return value.replaceAll(/[_\- ]+([^_\- ]?)/gu, (_, letter: string) => letter.toUpperCase())
}

function repeated(value: string, times: number): string {
  if (value.length * times > longestText) throw tooLong('repeat')
  return value.repeat(times)
}

function substring(value: string, start: number, length: unknown): string {
  const letters = Array.from(value)
  return letters.slice(start, length === undefined ? undefined : start + count(length, 'substr')).join('')
}

function wrapped(value: string, width: number): string {
  const lines: string[] = []
  let line = ''
  for (const word of value.split(/\s+/).filter((each) => each !== '')) {
    if (line !== '' && Array.from(`${line} ${word}`).length > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line].join('\n')
}

// As of Rust's paths: what is above a folder has no name.
function baseName(path: string): string {
  const name = /([^/]+)\/*$/.exec(path.replace(/\/\.$/, ''))?.[1] ?? ''
  return name === '..' ? '' : name
}

function folderName(path: string): string {
  const [, folder = ''] = /^(.*?)\/+[^/]+\/*$/s.exec(path) ?? []
  return folder === '' && /^\/+[^/]/.test(path) ? '/' : folder
}

function cleanPath(value: string): string {
  const parts: string[] = []
  for (const part of value.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  const joined = parts.join('/')
  if (value.startsWith('/')) return `/${joined}`
  return joined === '' ? '.' : joined
}

function toStrings(value: unknown, options: unknown): string[] {
  const given = options === undefined ? new Map<string, unknown>() : map(options, 'tostrings')
  const unknown = [...given.keys()].find((key) => !['prefix', 'suffix', 'skip_empty'].includes(key))
  if (unknown !== undefined) throw new TemplateFailure(`tostrings has no argument ${unknown}`)
  const items = (Array.isArray(value) ? value : value instanceof Map ? [...value.keys()] : [value]).map(display)
  const kept = given.get('skip_empty') === true ? items.filter((item) => item !== '') : items
  return kept.map((item) =>
    item === '' ? '' : `${display(given.get('prefix'))}${item}${display(given.get('suffix'))}`,
  )
}

function tooLong(what: string): TemplateFailure {
  return new TemplateFailure(`${what} would give more than ${longestText} characters`)
}
