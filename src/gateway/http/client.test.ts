import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openGateway, type OpenGateway, tokens } from '../testdata/open-gateway.ts'
import { createClient, type GatewayClient, GatewayError } from '../../client/index.ts'

let open: OpenGateway
let client: GatewayClient
beforeAll(async () => {
  open = await openGateway()
  client = createClient({ baseUrl: open.url, token: () => tokens.admin })
})
afterAll(async () => {
  await open[Symbol.asyncDispose]()
})

describe('the typed client', () => {
  it('creates, reads, lists and deletes deployments', async () => {
    const extensions = { 'flux.type': 'helmrelease', 'flux.chart': 'nginx', 'flux.sourceRef': 'bitnami' }
    const created = await client.createDeployment({ body: { name: 'typed', extensions } })
    if ('dryRun' in created) throw new Error('this was no dry run')
    const { id } = created
    expect((await client.getDeployment({ path: { id } })).name).toBe('typed')
    const { deployments, total } = await client.listDeployments({ query: { limit: 1, namespace: 'default' } })
    expect([deployments[0]?.id, total]).toEqual([id, 1])
    const lines: string[] = []
    for await (const text of await client.getDeploymentLogs({ path: { id } })) lines.push(text)
    expect(lines).toEqual([])
    expect(await client.deleteDeployment({ path: { id } })).toBeUndefined()
  })

  it('throws what the gateway said, with its code', async () => {
    const call = client.getDeployment({ path: { id: 'nowhere' } })
    await expect(call).rejects.toThrow(GatewayError)
    await expect(call).rejects.toMatchObject({ code: 'deployment.not-found', status: 404 })
    const stranger = createClient({ baseUrl: open.url, token: 'nobody-knows-this-token' })
    await expect(stranger.listDeployments()).rejects.toMatchObject({ code: 'request.unauthorized' })
    const proxied = createClient({ baseUrl: open.url, fetch: async () => new Response('bad gateway', { status: 502 }) })
    await expect(proxied.listDeployments()).rejects.toMatchObject({ status: 502, problem: { retryable: true } })
  })
})
