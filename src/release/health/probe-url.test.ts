import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
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
    const { passed, message } = await probe(cluster, parseCheck(ingress(url))!, context())
    results.push(`${passed} ${message}`)
  }
  expect(results).toEqual([
    `true health check GET ${address}/200 answered 200`,
    `true health check GET ${address}/302 answered 302`,
    `false health check GET ${address}/503 answered 503`,
    expect.stringMatching(/^false health check GET http:\/\/127\.0\.0\.1:1\/ failed: /),
  ])
})

it.each(['ftp://x/', 'https://me:hush@x/', 'x', ''])('the address %j is refused without being shown', (url) => {
  expect(() => parseCheck(ingress(url))).toThrow('it is no http:// or https:// address without user and password')
})

function ingress(url: string): KubeObject {
  const annotations = { 'lading.dev/health-check': 'true', 'lading.dev/health-check-url': url }
  return { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'web', namespace: 'x', annotations } }
}
