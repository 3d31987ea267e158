import { BlockList, isIP } from 'node:net'
import { LadingError } from '../../core/index.ts'
import type { Environment } from './load-kubeconfig.ts'

/** The proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY ask for, read as Go programs such as kubectl read them. */
export function proxyFromEnvironment(server: string, env: Environment): string | undefined {
  const url = new URL(server)
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const given = either(env, name)
  if (given === undefined || isDirect(url, either(env, 'NO_PROXY') ?? '')) return undefined
  const text = given.includes('://') ? given : `http://${given}`
  const protocol = URL.canParse(text) ? new URL(text).protocol : ''
  if (protocol !== 'http:' && protocol !== 'https:') {
    // The value may hold the proxy's password, so it is not shown.
    throw new LadingError('config.invalid', `${name} must be an http or https URL`, { variable: name })
  }
  return text
}

function either(env: Environment, name: string): string | undefined {
  const value = env[name] || env[name.toLowerCase()]
  return value === undefined || value === '' ? undefined : value
}

function isDirect(url: URL, noProxy: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase()
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  if (host === 'localhost' || isLoopback(host)) return true
  return noProxy.split(',').some((rule) => matches(rule.trim().toLowerCase(), host, port))
}

function isLoopback(host: string): boolean {
  return host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

function matches(rule: string, host: string, port: string): boolean {
  if (rule === '') return false
  if (rule === '*') return true
  if (rule.includes('/')) return inRange(rule, host)
  const parts = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(rule)
  const name = parts === null ? rule : (parts[1] as string).replace(/^\[|\]$/g, '')
  if (parts?.[2] !== undefined && parts[2] !== port) return false
  if (isIP(name) !== 0) return name === host
  if (name.startsWith('.') || name.startsWith('*.')) return host.endsWith(name.replace(/^\*/, ''))
  return host === name || host.endsWith(`.${name}`)
}

function inRange(rule: string, host: string): boolean {
  const version = isIP(host)
  const [network = '', prefix = ''] = rule.split('/')
  if (version === 0 || isIP(network) !== version || !/^\d{1,3}$/.test(prefix)) return false
  if (Number(prefix) > (version === 4 ? 32 : 128)) return false
  const range = new BlockList()
  range.addSubnet(network, Number(prefix), version === 4 ? 'ipv4' : 'ipv6')
  return range.check(host, version === 4 ? 'ipv4' : 'ipv6')
}
