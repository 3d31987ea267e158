import { describe, expect, it, onTestFinished } from 'vitest'
import { context, type LadingError } from '../../../core/index.ts'
import { startRegistry, startSandbox } from '../../../sandbox/index.ts'
import { describe as describeContent } from '../../descriptor.ts'
import { fetchAll } from '../../target.ts'
import { openRepository, type RegistryOptions } from '../open-repository.ts'
import { startFaultProxy } from '../testdata/fault-proxy.ts'
import { type ForwardProxy, startForwardProxy } from '../testdata/forward-proxy.ts'

const ctx = context()

describe('a registry behind a proxy', () => {
  it('is pushed to and pulled from through it', async () => {
    const registry = await startRegistry()
    onTestFinished(() => registry.stop())
    const proxy = await startProxy(registry.host)
    const target = open('registry.example', { plainHttp: true, env: { HTTP_PROXY: proxy.url } })
    const content = Buffer.alloc(300_000, 'content ')
    const d = describeContent('application/octet-stream', content)
    await target.push(d, content, ctx)
    expect(Buffer.from(await fetchAll(target, d, 1e6, ctx)).equals(content)).toBe(true)
    expect(proxy.asked).toContain(`GET http://registry.example/v2/app/blobs/${d.digest}`)
  })

  it('is reached through a tunnel where it has TLS, and its certificate is its own', async () => {
    // The sandbox's API server is no registry, but it speaks TLS.
    const sandbox = await startSandbox()
    onTestFinished(() => sandbox.stop())
    const proxy = await startProxy(new URL(sandbox.url).host)
    const env = { HTTPS_PROXY: proxy.url }
    expect((await failureOf('registry.example', { env })).code).toBe('oci.tls')
    const answered = await failureOf('registry.example', { env, insecure: true })
    expect(answered.code).toMatch(/^oci\.(?:unauthorized|denied|not-found)$/)
    expect(proxy.asked[0]).toBe('CONNECT registry.example:443')
  })

  it('is asked directly where NO_PROXY says so, or where it is this machine', async () => {
    const registry = await startRegistry()
    onTestFinished(() => registry.stop())
    const proxy = await startProxy(registry.host)
    const env = { HTTP_PROXY: proxy.url, NO_PROXY: '.invalid' }
    expect((await failureOf(registry.host, { plainHttp: true, env })).code).toBe('oci.not-found')
    expect((await failureOf('registry.invalid', { plainHttp: true, env })).code).toBe('oci.unreachable')
    expect(proxy.asked).toEqual([])
  })

  it('is not reached without the password of the proxy, which no message shows', async () => {
    const proxy = await startProxy('127.0.0.1:1')
    const wrong = `http://jane:wrong@${proxy.host}`
    const tunnel = await failureOf('registry.example', { env: { https_proxy: wrong } })
    expect(tunnel.message).toBe(`the proxy ${proxy.host} does not connect to registry.example: it answered 407`)
    const gone = await failureOf('registry.example', { env: { https_proxy: 'http://jane:wrong@127.0.0.1:1' } })
    expect(gone).toMatchObject({ code: 'oci.unreachable' })
    expect(gone.message).toContain('registry.example through 127.0.0.1:1')
  })

  it.each(['http://10.1.2.3/x', 'http://intranet/x', 'http://vault.internal/x', 'http://localhost/x'])(
    'leads nobody through the proxy to %s',
    async (location) => {
      const registry = await startFaultProxy()
      onTestFinished(() => registry.stop())
      registry.fault = () => ({ answer: 307, headers: { location } })
      const proxy = await startProxy(registry.host)
      const failure = await failureOf('registry.example', { plainHttp: true, env: { HTTP_PROXY: proxy.url } })
      expect(failure.code).toBe('oci.unsafe')
      expect(proxy.asked).toHaveLength(1)
    },
  )
})

async function startProxy(host: string): Promise<ForwardProxy> {
  const proxy = await startForwardProxy(host)
  onTestFinished(() => proxy.stop())
  return proxy
}

function open(host: string, options: RegistryOptions) {
  const target = openRepository(`oci://${host}/app`, {
    credentials: async () => undefined,
    retry: { attempts: 1 },
    ...options,
  })
  onTestFinished(() => target.close())
  return target
}

async function failureOf(host: string, options: RegistryOptions): Promise<LadingError> {
  return open(host, options)
    .resolve('v1', ctx)
    .then(
      () => expect.fail('nothing failed'),
      (error: LadingError) => error,
    )
}
