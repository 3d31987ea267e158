import { fromBytes, toBytes } from '../../../gotemplate/format/bytes.ts'
import { quote } from '../../../gotemplate/format/quote.ts'
import { GoError } from '../../../gotemplate/value.ts'

/** The parts of a URL as Go's net/url has them. */
export interface GoUrl {
  scheme: string
  opaque: string
  /** Undefined where there is no `@`; a password is undefined where there is no colon. */
  user: { name: string; password: string | undefined } | undefined
  host: string
  path: string
  /** The path as it was written, where that is not how Go would write it. */
  rawPath: string
  forceQuery: boolean
  query: string
  fragment: string
  rawFragment: string
}

type Place = 'path' | 'segment' | 'host' | 'zone' | 'user' | 'fragment'

const kept: Readonly<Record<Place, string>> = {
  path: '$&+,/:;=@',
  segment: '$&+:=@',
  user: '$&+,;=',
  fragment: '$&+,/:;=?@!()*',
  host: '!$&\'()*+,;=:[]<>"',
  zone: '!$&\'()*+,;=:[]<>"',
}

/** Reads a URL; what is wrong with it in Go's words. */
export function parseUrl(text: string): GoUrl {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof GoError)) throw error
    throw new GoError(`parse ${quote(text.split('#')[0]!)}: ${error.message}`)
  }
}

function parse(given: string): GoUrl {
  const hash = given.indexOf('#')
  const [text, fragment] = hash < 0 ? [given, ''] : [given.slice(0, hash), given.slice(hash + 1)]
  const url = parseWithoutFragment(text)
  if (fragment === '') return url
  const plain = unescape(fragment, 'fragment')
  return { ...url, fragment: plain, rawFragment: escape(plain, 'fragment') === fragment ? '' : fragment }
}

function parseWithoutFragment(text: string): GoUrl {
  // oxlint-disable-next-line no-control-regex
  if (/[\x00-\x1f\x7f]/.test(text)) throw new GoError('net/url: invalid control character in URL')
  const url: GoUrl = {
    scheme: '',
    opaque: '',
    user: undefined,
    host: '',
    path: '',
    rawPath: '',
    forceQuery: false,
    query: '',
    fragment: '',
    rawFragment: '',
  }
  if (text === '*') return { ...url, path: '*' }
  const { scheme, rest: afterScheme } = takeScheme(text)
  url.scheme = scheme.toLowerCase()
  let rest = afterScheme
  if (rest.endsWith('?') && rest.split('?').length === 2) {
    url.forceQuery = true
    rest = rest.slice(0, -1)
  } else if (rest.includes('?')) {
    const at = rest.indexOf('?')
    url.query = rest.slice(at + 1)
    rest = rest.slice(0, at)
  }
  if (!rest.startsWith('/')) {
    if (url.scheme !== '') return { ...url, opaque: rest }
    if (rest.split('/')[0]!.includes(':')) throw new GoError('first path segment in URL cannot contain colon')
  }
  if ((url.scheme !== '' || !rest.startsWith('///')) && rest.startsWith('//')) {
    const end = rest.indexOf('/', 2)
    takeAuthority(url, end < 0 ? rest.slice(2) : rest.slice(2, end))
    rest = end < 0 ? '' : rest.slice(end)
  }
  url.path = unescape(rest, 'path')
  url.rawPath = escape(url.path, 'path') === rest ? '' : rest
  return url
}

function takeScheme(text: string): { scheme: string; rest: string } {
  const found = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)
  if (found !== null) return { scheme: found[1]!, rest: text.slice(found[0].length) }
  if (text.startsWith(':')) throw new GoError('missing protocol scheme')
  return { scheme: '', rest: text }
}

function takeAuthority(url: GoUrl, authority: string): void {
  const at = authority.lastIndexOf('@')
  url.host = parseHost(authority.slice(at + 1))
  if (at < 0) return
  const info = authority.slice(0, at)
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(info)) throw new GoError('net/url: invalid userinfo')
  const colon = info.indexOf(':')
  const name = unescape(colon < 0 ? info : info.slice(0, colon), 'user')
  url.user = { name, password: colon < 0 ? undefined : unescape(info.slice(colon + 1), 'user') }
}

function parseHost(host: string): string {
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']')
    if (end < 0) throw new GoError("missing ']' in host")
    checkPort(host.slice(end + 1))
  } else if (host.includes(':')) checkPort(host.slice(host.lastIndexOf(':')))
  return unescape(host, 'host')
}

function checkPort(port: string): void {
  if (!/^(?::\d*)?$/.test(port)) throw new GoError(`invalid port ${quote(port)} after host`)
}

/** The host without its port and brackets. */
export function hostName(host: string): string {
  const bare = /:\d*$/.test(host) && !/^\[[^\]]*$/.test(host) ? host.replace(/:\d*$/, '') : host
  return bare.startsWith('[') && bare.endsWith(']') ? bare.slice(1, -1) : bare
}

/** Name and password as they stand in a URL. */
export function formatUser({ name, password }: { name: string; password: string | undefined }): string {
  return password === undefined ? escape(name, 'user') : `${escape(name, 'user')}:${escape(password, 'user')}`
}

/** Go's `URL.String`. */
export function formatUrl(url: GoUrl): string {
  let output = url.scheme === '' ? '' : `${url.scheme}:`
  if (url.opaque === '') output += formatHierarchy(url, output)
  else output += url.opaque
  if (url.forceQuery || url.query !== '') output += `?${url.query}`
  return url.fragment === '' ? output : `${output}#${validRaw(url.rawFragment, url.fragment, 'fragment')}`
}

function formatHierarchy(url: GoUrl, before: string): string {
  let output = ''
  if (url.scheme !== '' || url.host !== '' || url.user !== undefined) {
    if (url.host !== '' || url.path !== '' || url.user !== undefined) output += '//'
    if (url.user !== undefined) output += `${formatUser(url.user)}@`
    output += escape(url.host, 'host')
  }
  const path = validRaw(url.rawPath, url.path, 'path')
  if (path !== '' && !path.startsWith('/') && url.host !== '') output += '/'
  // A colon in the first segment would be read as the end of a scheme.
  if (before === '' && output === '' && path.split('/')[0]!.includes(':')) output += './'
  return output + path
}

function validRaw(raw: string, plain: string, place: Place): string {
  return raw !== '' ? raw : plain === '*' && place === 'path' ? '*' : escape(plain, place)
}

function escape(text: string, place: Place): string {
  let output = ''
  for (const byte of toBytes(text)) {
    const character = String.fromCharCode(byte)
    const isPlain = /[A-Za-z0-9\-_.~]/.test(character) || kept[place].includes(character)
    output += isPlain ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return output
}

function unescape(text: string, place: Place): string {
  for (const [found] of text.matchAll(/%(?![0-9A-Fa-f]{2}).{0,2}/gs))
    throw new GoError(`invalid URL escape ${quote(found)}`)
  if (place === 'host') {
    const escaped = /%(?!25)[0-7][0-9A-Fa-f]/.exec(text)
    if (escaped !== null && !text.startsWith('[')) throw new GoError(`invalid URL escape ${quote(escaped[0])}`)
    // oxlint-disable-next-line no-control-regex
    const wrong = Array.from(text).find(
      (character) => character < '\x80' && !/[A-Za-z0-9\-_.~%]/.test(character) && !kept.host.includes(character),
    )
    if (wrong !== undefined) throw new GoError(`invalid character ${quote(wrong)} in host name`)
  }
  if (!text.includes('%')) return text
  const bytes = Buffer.from(toBytes(text)).toString('latin1')
  const plain = bytes.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return fromBytes(Buffer.from(plain, 'latin1'))
}
