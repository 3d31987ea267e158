import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { context, type LadingError } from '../../../core/index.ts'
import { startRegistry, startSandbox } from '../../../sandbox/index.ts'
import { describe } from '../../descriptor.ts'
import { openRepository, type RegistryOptions } from '../open-repository.ts'

it('a registry is trusted by its certificate authority, or when that is waived', async () => {
  // The sandbox's API server is no registry, but it has a certificate of its own authority.
  const sandbox = await startSandbox()
  onTestFinished(() => sandbox.stop())
  const [, encoded = ''] =
    /certificate-authority-data["']?: ["']?([\w+/=]+)/.exec(await readFile(sandbox.kubeconfig, 'utf8')) ?? []
  const ca = Buffer.from(encoded, 'base64').toString('utf8')
  const { host } = new URL(sandbox.url)
  expect(await codeOf(host, {})).toBe('oci.tls')
  expect(await codeOf(host, { ca })).toMatch(/^oci\.(?:unauthorized|denied|not-found)$/)
  expect(await codeOf(host, { insecure: true })).toMatch(/^oci\.(?:unauthorized|denied|not-found)$/)
  expect(() => openRepository(`${host}/app`, { ca: 'no certificate' })).toThrow(
    expect.objectContaining({ code: 'oci.tls' }),
  )
})

it('a registry without TLS is not taken for one with it', async () => {
  const registry = await startRegistry()
  onTestFinished(() => registry.stop())
  expect(await codeOf(registry.host, {})).toBe('oci.tls')
  expect(await codeOf(registry.host, { plainHttp: true })).toBe('oci.not-found')
})

it('a registry that never answers is given up', async () => {
  const server = createServer(() => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await codeOf(host, { plainHttp: true, timeoutMs: 20 })).toBe('oci.timeout')
})

it('pieces of large contents that come at once stay as they were, however long they are kept', async () => {
  const registry = await startRegistry()
  onTestFinished(() => registry.stop())
  const ctx = context()
  const target = openRepository(`${registry.host}/app`, { plainHttp: true })
  onTestFinished(() => target.close())
  const contents = [1, 2, 3].map((seed) => Buffer.alloc(2_000_000 + seed, `piece ${seed} `))
  const described = contents.map((content) => describe('application/octet-stream', content))
  await Promise.all(described.map((d, at) => target.push(d, contents[at] ?? Buffer.alloc(0), ctx)))
  const kept = await Promise.all(
    described.map(async (d) => {
      const pieces: Uint8Array[] = []
      for await (const piece of await target.fetch(d, ctx)) pieces.push(piece)
      return pieces
    }),
  )
  expect(kept.map((pieces, at) => Buffer.concat(pieces).equals(contents[at] ?? Buffer.alloc(0)))).toEqual([
    true,
    true,
    true,
  ])
})

async function codeOf(host: string, options: RegistryOptions): Promise<string> {
  const target = openRepository(`${host}/app`, {
    credentials: async () => undefined,
    retry: { attempts: 1 },
    ...options,
  })
  onTestFinished(() => target.close())
  return target.resolve('v1', context()).then(
    () => 'it worked',
    (error: LadingError) => error.code,
  )
}
