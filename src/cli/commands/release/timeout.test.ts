import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeFiles } from '../../../../testing/write-files.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'

let cli: CliSandbox
let server: Server
let host = ''

beforeAll(async () => {
  cli = await openCliSandbox()
  // Begins every answer, and ends none.
  server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/vnd.oci.image.manifest.v1+json', 'content-length': 4000 })
    if (request.method === 'HEAD') response.end()
    else response.write(' ')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  await writeFiles(cli.cwd, {
    'remote/kustomization.yaml': `resources: ["http://${host}/base.yaml"]\n`,
    'held.yaml': `
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: lading.held}
spec: {holderIdentity: elsewhere/1/x, leaseDurationSeconds: 2147483647, renewTime: "${new Date().toISOString().replace('Z', '000Z')}"}
`,
    'config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
  })
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await cli.close()
})

it('--timeout ends a command whose registry, chart repository or remote base never finishes an answer', async () => {
  const sources = [
    `oci://${host}/charts/shop:1.0.0 --plain-http`,
    `shop --repo http://${host}`,
    `remote --allow-remote ${host} --allow-unpinned`,
  ]
  const ends = await Promise.all(
    sources.map(async (source) => {
      const { code, stderr, stdout } = await cli.lading(`upgrade --install shop ${source} --timeout 5s`)
      return [code, stdout, stderr]
    }),
  )
  const timedOut = [5, '', expect.stringMatching(/timed out after 5 s while fetching .*(\n.*)*--timeout/)]
  expect(ends).toEqual([timedOut, timedOut, timedOut])
  expect((await cli.lading('history shop')).code).toBe(8)
})

it('--timeout ends a command that waits for the lock of another, with the name of its holder', async () => {
  await cli.lading('install lease held.yaml')
  const { code, stderr } = await cli.lading('install held config.yaml --timeout 3s')
  expect([code, stderr]).toEqual([
    5,
    expect.stringMatching(/timed out after 3 s while waiting for the lock of release .*held, held by elsewhere\/1\/x/),
  ])
})
