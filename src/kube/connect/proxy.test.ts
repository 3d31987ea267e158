import { expect, it } from 'vitest'
import { proxyFromEnvironment } from './proxy.ts'

const server = 'https://api.kube.example.com:6443'

it.each([
  ['', server, 'http://proxy:3128'],
  ['*', server, undefined],
  ['example.com', server, undefined],
  ['.example.com', server, undefined],
  ['*.example.com', server, undefined],
  ['kube.example.com', server, undefined],
  ['api.kube.example.com:6443', server, undefined],
  ['api.kube.example.com:443', server, 'http://proxy:3128'],
  ['ple.com', server, 'http://proxy:3128'],
  ['.api.kube.example.com', server, 'http://proxy:3128'],
  ['other.org, EXAMPLE.com', server, undefined],
  ['10.0.0.0/8', 'https://10.1.2.3', undefined],
  ['10.0.0.0/8', 'https://11.1.2.3', 'http://proxy:3128'],
  ['10.0.0.0/99', 'https://10.1.2.3', 'http://proxy:3128'],
  ['10.1.2.3', 'https://10.1.2.3', undefined],
  ['fd00::/8', 'https://[fd00::1]:6443', undefined],
  ['[fd00::1]:6443', 'https://[fd00::1]:6443', undefined],
  ['', 'https://localhost:6443', undefined],
  ['', 'https://127.0.0.1:6443', undefined],
  ['', 'https://[::1]:6443', undefined],
])('NO_PROXY=%j and %s go through %s', (noProxy, url, expected) => {
  expect(proxyFromEnvironment(url, { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: noProxy })).toBe(expected)
})

it('reads lower case, leaves out the scheme, and keeps http and https apart', () => {
  expect(proxyFromEnvironment(server, { https_proxy: 'proxy:3128' })).toBe('http://proxy:3128')
  expect(proxyFromEnvironment(server, { HTTP_PROXY: 'http://proxy' })).toBeUndefined()
  expect(proxyFromEnvironment('http://kube', { HTTP_PROXY: 'http://proxy' })).toBe('http://proxy')
  expect(proxyFromEnvironment(server, {})).toBeUndefined()
})

it('refuses other kinds of proxies without showing the value', () => {
  const attempt = () => proxyFromEnvironment(server, { HTTPS_PROXY: 'socks5://user:hunter2@proxy' })
  expect(attempt).toThrow(expect.objectContaining({ code: 'config.invalid' }))
  expect(attempt).not.toThrow(/hunter2/)
})
