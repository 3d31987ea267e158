import { BlockList, isIP } from 'node:net'
import { LadingError } from '../core/index.ts'

/** The variables of an environment. */
export type Env = Readonly<Record<string, string | undefined>>

/**
 * The proxy for requests to a URL, by HTTP_PROXY, HTTPS_PROXY and NO_PROXY as Go's programs read them, so that Lading
 * goes where kubectl, helm and oras go; undefined if the URL is requested directly, as this machine always is.
 */
export function proxyFor(url: URL, env: Env): URL | undefined {
  const names = url.protocol === 'https:' ? ['HTTPS_PROXY', 'https_proxy'] : ['HTTP_PROXY', 'http_proxy']
  const name = names.find((each) => env[each] !== undefined && env[each] !== '')
  if (name === undefined) return undefined
  if (isLocal(hostOf(url)) || isExcepted(url, env['NO_PROXY'] ?? env['no_proxy'] ?? '')) return undefined
  return parseProxy(name, env[name] ?? '')
}

function parseProxy(name: string, text: string): URL {
  const proxy = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  if (proxy !== null && (proxy.protocol === 'http:' || proxy.protocol === 'https:') && proxy.hostname !== '')
    return proxy
  // The text itself may hold a password.
  throw new LadingError('usage.invalid', `${name} is no address of a proxy: write http://HOST:PORT`, { name })
}

function isLocal(host: string): boolean {
  return host === 'localhost' || (isIP(host) !== 0 && loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4'))
}

function isExcepted(url: URL, exceptions: string): boolean {
  const host = hostOf(url)
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  return exceptions
    .split(',')
    .map((text) => text.trim().toLowerCase())
    .some((rule) => rule === '*' || (rule !== '' && matches(rule, host, port)))
}

/** A rule is an address, a range of them (CIDR), a domain with all below it, or `.domain` for those below alone; each may name a port. */
function matches(rule: string, host: string, port: string): boolean {
  const range = /^([\da-f.:]+)\/(\d{1,3})$/.exec(rule)
  if (range !== null) return isWithin(host, range[1]!, Number(range[2]))
  const [, bracketed, plain, wanted] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(rule) ?? []
  const name = bracketed ?? plain ?? rule
  if (wanted !== undefined && wanted !== port) return false
  if (isIP(name) !== 0 || isIP(host) !== 0) return name === host
  const below = name.replace(/^\*?\./, '')
  return host.endsWith(`.${below}`) || (below === name && host === name)
}

function isWithin(host: string, network: string, prefix: number): boolean {
  const family = isIP(network)
  if (family === 0 || isIP(host) !== family || prefix > (family === 6 ? 128 : 32)) return false
  const list = new BlockList()
  const type = family === 6 ? 'ipv6' : 'ipv4'
  list.addSubnet(network, prefix, type)
  return list.check(host, type)
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').toLowerCase()
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
