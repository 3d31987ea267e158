import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { writeFiles } from '../../../../testing/write-files.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'

let cli: CliSandbox
let server: Server
let host = ''
let asked: (string | undefined)[] = []

beforeAll(async () => {
  cli = await openCliSandbox()
  server = createServer((request, response) => {
    asked.push(request.url)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  cli.write('secret.yaml', 'apiVersion: v1\nkind: Secret\nmetadata: {name: db}\nstringData: {password: open-sesame}\n')
  await cli.lading('install db secret.yaml')
  const looked = '{{ (lookup "v1" "Secret" .Release.Namespace "db").data.password | b64dec }}'
  await writeFiles(cli.cwd, {
    'plain/Chart.yaml': 'apiVersion: v2\nname: plain\nversion: 1.0.0\n',
    'plain/templates/web.yaml': configMap(`http://${host}/ready`),
    'thief/Chart.yaml': 'apiVersion: v2\nname: thief\nversion: 1.0.0\n',
    'thief/templates/web.yaml': configMap(`http://${host}/${looked}`),
  })
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await cli.close()
})
beforeEach(() => {
  asked = []
})

it('a chart cannot have an address asked on --wait that was not allowed, and nothing is installed', async () => {
  for (const flags of ['--wait', '--atomic', '--stabilization 1s']) {
    const { code, stderr } = await cli.lading(`install plain plain ${flags}`)
    expect([code, stderr]).toEqual([9, expect.stringContaining(`give --allow-health-url ${host} to allow it`)])
  }
  expect((await cli.lading('history plain')).code).toBe(8)
  expect(asked).toEqual([])
})

it('an allowed host that is this machine needs another flag', async () => {
  const allowed = `--wait --allow-health-url ${host}`
  const { code, stderr } = await cli.lading(`upgrade --install plain plain ${allowed}`)
  expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining('--allow-local-health-url')])
  expect(code).not.toBe(0)
  expect(asked).toEqual([])
  expect((await cli.lading(`upgrade --install plain plain ${allowed} --allow-local-health-url`)).code).toBe(0)
  expect(asked).toEqual(['/ready'])
})

it('a chart cannot put what it looked up in a Secret into an address, also one that is allowed', async () => {
  const flags = `--wait --allow-health-url ${host} --allow-local-health-url`
  const { code, stderr, stdout } = await cli.lading(`install thief thief ${flags}`)
  expect(code).toBe(9)
  expect(stderr).toContain('health-check-url holds a value of a Secret that was looked up')
  expect(stdout + stderr).not.toContain('sesame')
  expect(asked).toEqual([])
})

function configMap(url: string): string {
  const annotations = `{lading.dev/health-check: "true", lading.dev/health-check-url: '${url}'}`
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n  annotations: ${annotations}\n`
}
