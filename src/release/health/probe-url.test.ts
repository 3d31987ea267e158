import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { context, type KubeObject } from '../../core/index.ts'
import type { Cluster } from '../../kube/index.ts'
import { parseCheck } from './parse-check.ts'
import { probe } from './probe.ts'

let server: Server
let address: string

beforeAll(async () => {
  server = createServer((request, response) => {
    response.writeHead(Number(request.url?.slice(1, 4))).end('body')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

// No request may reach the cluster.
const cluster = {} as Cluster

it('an address is asked directly: an answer below 400 passes, a redirect too, others and silence do not', async () => {
  const results = []
  for (const url of [`${address}/200`, `${address}/302`, `${address}/503?token=x`, 'http://127.0.0.1:1/']) {
    const access = { hosts: [new URL(url).host], local: true }
    const { passed, message } = await probe(cluster, parseCheck(ingress(url))!, access, context())
    results.push(`${passed} ${message}`)
  }
  expect(results).toEqual([
    `true health check GET ${address}/200 answered 200`,
    `true health check GET ${address}/302 answered 302`,
    `false health check GET ${address}/503 answered 503`,
    expect.stringMatching(/^false health check GET http:\/\/127\.0\.0\.1:1\/ failed: /),
  ])
})

it('no address is asked whose host was not allowed, before anything is resolved or sent', async () => {
  const never = { resolve: vi.fn(), dial: vi.fn() }
  const ask = (hosts: readonly string[]) =>
    probe(cluster, parseCheck(ingress('https://collector.example/?t=x'))!, { hosts, ...never }, context())
  for (const hosts of [[], ['example'], ['other.example'], ['collector.example:8443'], ['sub.collector.example']]) {
    await expect(ask(hosts)).rejects.toMatchObject({
      code: 'health.url-refused',
      message: expect.stringContaining('give --allow-health-url collector.example to allow it'),
    })
  }
  await expect(probe(cluster, parseCheck(ingress('https://x.example/'))!, undefined, context())).rejects.toMatchObject({
    code: 'health.url-refused',
  })
  expect([never.resolve, never.dial].flatMap(({ mock }) => mock.calls)).toEqual([])
})

it.each([
  '127.0.0.1',
  '169.254.169.254',
  '0.0.0.0',
  '::1',
  '::',
  'fe80::1',
  '::ffff:127.0.0.1',
  '::127.0.0.1',
  '2002:7f00:1::',
  '2002:a9fe:a9fe::1',
  '64:ff9b::7f00:1',
  '::ffff:0:127.0.0.1',
])('a host that is allowed and resolves to %s is not asked unless local addresses are allowed too', async (address) => {
  const dial = vi.fn(() => Promise.resolve(200))
  const resolve = vi.fn(() =>
    Promise.resolve([
      { address: '203.0.113.7', family: 4 },
      { address, family: 6 },
    ]),
  )
  const check = parseCheck(ingress('https://health.example/'))!
  const access = { hosts: ['health.example'], resolve, dial }
  await expect(probe(cluster, check, access, context())).rejects.toMatchObject({ code: 'health.url-refused' })
  expect(dial).not.toHaveBeenCalled()
  expect(await probe(cluster, check, { ...access, local: true }, context())).toMatchObject({ passed: true })
})

it('what is connected to is what was judged: the name is resolved once', async () => {
  const dial = vi.fn(() => Promise.resolve(204))
  const resolve = vi
    .fn<(host: string) => Promise<{ address: string; family: number }[]>>()
    .mockResolvedValueOnce([{ address: '203.0.113.7', family: 4 }])
    .mockResolvedValue([{ address: '127.0.0.1', family: 4 }])
  const check = parseCheck(ingress('https://rebinding.example/'))!
  const access = { hosts: ['rebinding.example'], resolve, dial }
  expect(await probe(cluster, check, access, context())).toMatchObject({ passed: true })
  expect(resolve).toHaveBeenCalledTimes(1)
  expect(dial).toHaveBeenCalledWith(
    new URL('https://rebinding.example/'),
    [{ address: '203.0.113.7', family: 4 }],
    expect.any(AbortSignal),
  )
})

it.each(['ftp://x/', 'https://me:hush@x/', 'x', ''])('the address %j is refused without being shown', (url) => {
  expect(() => parseCheck(ingress(url))).toThrow('it is no http:// or https:// address without user and password')
})

function ingress(url: string): KubeObject {
  const annotations = { 'lading.dev/health-check': 'true', 'lading.dev/health-check-url': url }
  return { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'web', namespace: 'x', annotations } }
}
