import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { context, isRecord } from '../../core/index.ts'
import { type Sandbox, startSandbox } from '../../sandbox/index.ts'
import type { Cluster } from '../cluster.ts'
import { type CallerConnections, connectCallers } from './connect-callers.ts'

let sandbox: Sandbox
let connections: CallerConnections
beforeAll(async () => {
  sandbox = await startSandbox()
  connections = await connectCallers({ kubeconfig: sandbox.kubeconfig })
})
afterAll(async () => {
  await connections.close()
  await sandbox.stop()
})

describe('the callers of one connection', () => {
  it('are told apart by the API server, impersonated or by their own tokens', async () => {
    const shop = connections.as({ impersonate: { user: 'shop', groups: ['sellers'], uid: '7' } })
    expect(await whoAmI(shop)).toMatchObject({
      username: 'shop',
      uid: '7',
      groups: ['sellers', 'system:authenticated'],
    })
    const other = connections.as({ impersonate: { user: 'other' } })
    const [first, second] = await Promise.all([whoAmI(shop), whoAmI(other)])
    expect([first['username'], second['username']]).toEqual(['shop', 'other'])
    const token = await serviceAccountToken()
    const account = connections.as({ token })
    expect(await whoAmI(account)).toMatchObject({ username: 'system:serviceaccount:default:default' })
    expect(shop.transport.identity).not.toBe(other.transport.identity)
    expect(account.transport.identity).not.toContain(token)
  })

  it('need a name, and tokens that a header can hold', async () => {
    expect(() => connections.as({ impersonate: { user: '' } })).toThrow('without a user name')
    expect(() => connections.as({ impersonate: { groups: ['system:masters'] } })).toThrow('without a user name')
    expect(() => connections.as({ token: 'a\nb' })).toThrow('control characters')
    const stranger = connections.as({ token: 'no-such-token' })
    await expect(whoAmI(stranger)).rejects.toMatchObject({ code: 'kube.unauthorized' })
  })
})

async function whoAmI({ transport }: Cluster): Promise<Record<string, unknown>> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  const answer = await transport.request({ method: 'POST', path, body }, context())
  const status = isRecord(answer.body) && isRecord(answer.body['status']) ? answer.body['status'] : {}
  return isRecord(status['userInfo']) ? status['userInfo'] : {}
}

async function serviceAccountToken(): Promise<string> {
  const path = '/api/v1/namespaces/default/serviceaccounts/default/token'
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const { transport } = connections.base
  const answer = await transport.request({ method: 'POST', path, body }, context())
  const status = isRecord(answer.body) && isRecord(answer.body['status']) ? answer.body['status'] : {}
  return String(status['token'])
}
