import { request } from 'node:https'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../start.ts'

let sandbox: Sandbox
beforeAll(async () => void (sandbox = await startSandbox()))
afterAll(() => sandbox.stop())

const paths = ['/version', '/healthz', '/api/v1/namespaces', '/api/v1/pods?watch=1', '/_sandbox/faults']

it.each(paths)('%s is not answered to a web page that bound its name to the loopback address', async (path) => {
  for (const headers of [{ host: 'rebound.example.com' }, { host: 'a.b:6443' }, { origin: 'https://example.com' }]) {
    expect(await ask(path, headers)).toEqual([
      403,
      expect.stringContaining('this API server is for this machine alone'),
    ])
  }
})

it.each(['127.0.0.1:6443', 'localhost:6443', '[::1]:6443', 'kubernetes'])('clients reach it as %s', async (host) => {
  const [code] = await ask('/api/v1/namespaces', { host })
  expect(code).toBe(200)
})

function ask(
  path: string,
  headers: { readonly host?: string; readonly origin?: string },
): Promise<[number | undefined, string]> {
  return new Promise((resolve, reject) => {
    const all = { authorization: `Bearer ${sandbox.token}`, ...headers }
    const asked = request(`${sandbox.url}${path}`, { headers: all, rejectUnauthorized: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      answer.on('end', () => resolve([answer.statusCode, text]))
    })
    asked.on('error', reject).end()
  })
}
