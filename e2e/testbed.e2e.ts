import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type ApiClient, apiClientOf } from '../testbed/index.ts'

const namespace = `testbed-${process.pid}`
let api: ApiClient

beforeAll(async () => {
  api = await apiClientOf(inject('kubeconfig'))
  await api.request('POST', '/api/v1/namespaces', { metadata: { name: namespace } })
})

afterAll(async () => {
  await api.request('DELETE', `/api/v1/namespaces/${namespace}`)
  api.close()
})

describe('the control plane', () => {
  it('is a current Kubernetes', async () => {
    const { major, minor } = (await api.request('GET', '/version')).json as { major: string; minor: string }
    expect(major).toBe('1')
    expect(Number(minor)).toBeGreaterThanOrEqual(35)
  })
})
