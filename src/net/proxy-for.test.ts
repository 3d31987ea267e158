import { describe, expect, it } from 'vitest'
import { proxyFor } from './proxy-for.ts'

describe('a proxy of the environment', () => {
  const env = { HTTPS_PROXY: 'http://jane:hush@proxy.corp:3128', http_proxy: 'plain.corp:8080' }

  it('is used for its scheme', () => {
    expect(proxyFor(new URL('https://ghcr.io/v2/'), env)?.href).toBe('http://jane:hush@proxy.corp:3128/')
    expect(proxyFor(new URL('http://charts.example/'), env)?.href).toBe('http://plain.corp:8080/')
    expect(proxyFor(new URL('https://ghcr.io/'), { HTTP_PROXY: 'http://p:1', HTTPS_PROXY: '' })).toBeUndefined()
    expect(proxyFor(new URL('https://ghcr.io/'), {})).toBeUndefined()
  })

  it.each(['https://localhost/', 'https://127.0.0.1:5000/', 'https://127.8.9.1/', 'https://[::1]:5000/'])(
    'is not asked for this machine: %s',
    (url) => expect(proxyFor(new URL(url), env)).toBeUndefined(),
  )

  // As golang.org/x/net/http/httpproxy decides them.
  it.each([
    ['corp', 'https://registry.corp/', false],
    ['corp', 'https://corp/', false],
    ['corp', 'https://incorp/', true],
    ['.corp', 'https://registry.corp/', false],
    ['.corp', 'https://corp/', true],
    ['*.corp', 'https://a.registry.corp/', false],
    ['*.corp', 'https://corp/', true],
    ['other, Registry.Corp', 'https://registry.corp/', false],
    ['*', 'https://ghcr.io/', false],
    ['', 'https://ghcr.io/', true],
    [' , ', 'https://ghcr.io/', true],
    ['registry.corp:5000', 'https://registry.corp:5000/', false],
    ['registry.corp:5000', 'https://registry.corp/', true],
    ['registry.corp:443', 'https://registry.corp/', false],
    ['10.0.0.0/8', 'https://10.1.2.3/', false],
    ['10.0.0.0/8', 'https://11.1.2.3/', true],
    ['10.0.0.0/8', 'https://registry.corp/', true],
    ['10.1.2.3', 'https://10.1.2.3:5000/', false],
    ['10.1.2.3', 'https://10.1.2.30/', true],
    ['fd00::/8', 'https://[fd00::5]/', false],
    ['fd00::5', 'https://[fd00::5]/', false],
    ['[fd00::5]:5000', 'https://[fd00::5]:5000/', false],
    ['[fd00::5]:5000', 'https://[fd00::5]/', true],
    ['10.0.0.0/99', 'https://10.1.2.3/', true],
  ])('with NO_PROXY=%s: %s goes through it: %s', (exceptions, url, used) => {
    expect(proxyFor(new URL(url), { ...env, NO_PROXY: exceptions }) !== undefined).toBe(used)
  })

  it.each(['socks5://jane:hush@proxy:1080', 'http://', 'http://jane:hush@'])(
    'that is none is refused unseen',
    (text) => {
      const ask = () => proxyFor(new URL('https://ghcr.io/'), { https_proxy: text })
      expect(ask).toThrow('https_proxy is no address of a proxy: write http://HOST:PORT')
      expect(ask).not.toThrow(/hush/)
    },
  )
})
