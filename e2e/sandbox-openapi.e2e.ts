import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type Sandbox, startSandbox } from '../src/sandbox/index.ts'
import { type ApiClient, apiClientOf } from '../testbed/index.ts'

let real: ApiClient
let sandbox: Sandbox
let embedded: ApiClient

beforeAll(async () => {
  real = await apiClientOf(inject('kubeconfig'))
  sandbox = await startSandbox()
  embedded = await apiClientOf(sandbox.kubeconfig)
})

afterAll(async () => {
  real.close()
  embedded.close()
  await sandbox.stop()
})

it('describes the operations of every built-in group version as a real API server does', async () => {
  const { paths } = (await embedded.request('GET', '/openapi/v3')).json as { paths: Record<string, object> }
  expect(Object.keys(paths).length).toBeGreaterThan(20)
  for (const path of Object.keys(paths)) {
    const [here, there] = await Promise.all([embedded, real].map((api) => operations(api, `/openapi/v3/${path}`)))
    expect({ path, operations: here }).toEqual({ path, operations: there })
  }
})

interface Operation {
  'x-kubernetes-action'?: string
  'x-kubernetes-group-version-kind'?: object
}

/** Method, action and kind of everything below a group version but the old paths for watches and those of proxies. */
async function operations(api: ApiClient, path: string): Promise<Record<string, unknown>> {
  const { paths } = (await api.request('GET', path)).json as { paths: Record<string, Record<string, Operation>> }
  const found: Record<string, unknown> = {}
  for (const [name, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const action = operation['x-kubernetes-action']
      if (action === undefined || action === 'connect' || /\/v[^/]*\/watch\//.test(name)) continue
      found[`${method} ${name}`] = [action, operation['x-kubernetes-group-version-kind']]
    }
  }
  return found
}
