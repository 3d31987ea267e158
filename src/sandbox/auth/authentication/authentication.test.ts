import { describe, expect, test } from 'vitest'
import { manualClock } from '../../../core/index.ts'
import { sandboxUsers } from '../testdata/sandbox-users.ts'

// What is asserted was compared with a kube-apiserver 1.35.
const clock = manualClock(Date.UTC(2026, 0, 1))
const { admin, adminToken, call, nobody, whoami } = sandboxUsers(clock)

describe('who somebody is', () => {
  test('without a token: anonymous, who sees health and version only', async () => {
    for (const path of ['/version', '/readyz', '/livez', '/healthz']) expect((await call('GET', path)).code).toBe(200)
    expect(await call('GET', '/api')).toEqual({
      code: 403,
      body: status(403, 'Forbidden', 'forbidden: User "system:anonymous" cannot get path "/api"', {}),
    })
  })

  test.each(['Bearer wrong', 'Bearer ', 'Basic YTpi', 'x'])('with %j: unauthorized', async (authorization) => {
    expect(await call('GET', '/version', { authorization })).toEqual({
      code: 401,
      body: status(401, 'Unauthorized', 'Unauthorized'),
    })
  })

  test('with the token of the kubeconfig: its user', async () => {
    expect(await whoami({ token: adminToken() })).toEqual({
      username: 'admin',
      uid: '1',
      groups: ['system:masters', 'system:authenticated'],
    })
  })

  test('with the token of a service account: that account, until the token expires or the account goes', async () => {
    await admin('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } })
    const path = '/api/v1/namespaces/default/serviceaccounts/robot/token'
    const { body } = await admin('POST', path, { spec: { expirationSeconds: 600 } })
    const token = (body['status'] as { token: string }).token
    expect(await whoami({ token })).toMatchObject({
      username: 'system:serviceaccount:default:robot',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
    })
    const [head, claims, signature] = token.split('.')
    expect((await call('GET', '/api', { token: `${head}.${claims}x.${signature}` })).code).toBe(401)
    await clock.advance(600_000)
    expect((await call('GET', '/api', { token })).code).toBe(401)
    const { body: again } = await admin('POST', path, {})
    const second = (again['status'] as { token: string }).token
    expect((await call('GET', '/api', { token: second })).code).toBe(200)
    await admin('DELETE', '/api/v1/namespaces/default/serviceaccounts/robot')
    expect((await call('GET', '/api', { token: second })).code).toBe(401)
  })
})

describe('acting as somebody else', () => {
  test('is for those who may, with groups, uid and extra', async () => {
    const headers = {
      'impersonate-user': 'bob',
      'impersonate-group': 'devs',
      'impersonate-uid': 'u1',
      'impersonate-extra-scopes': 'a',
    }
    expect(await whoami({ token: adminToken(), headers })).toEqual({
      username: 'bob',
      uid: 'u1',
      groups: ['devs', 'system:authenticated'],
      extra: { scopes: ['a'] },
    })
  })

  test('as a service account gives its groups', async () => {
    const headers = { 'impersonate-user': 'system:serviceaccount:shop:web' }
    expect(await whoami({ token: adminToken(), headers })).toEqual({
      username: 'system:serviceaccount:shop:web',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
    })
  })

  test('is refused to others, and makes no sense without a user', async () => {
    const refused = await call('GET', '/api/v1/nodes', { token: nobody(), headers: { 'impersonate-user': 'bob' } })
    expect(refused.body['message']).toBe(
      'users "bob" is forbidden: User "nobody" cannot impersonate resource "users" in API group "" at the cluster scope',
    )
    const senseless = await call('GET', '/api/v1/nodes', { token: nobody(), headers: { 'impersonate-group': 'bob' } })
    expect(senseless).toMatchObject({
      code: 400,
      body: { message: 'requested [{Group bob }] without impersonating a user' },
    })
  })
})

describe('what somebody may not do is refused in the words of the API server', () => {
  test.each([
    [
      'GET',
      '/api/v1/namespaces/x/configmaps',
      'configmaps is forbidden: User "nobody" cannot list resource "configmaps" in API group "" in the namespace "x"',
      { kind: 'configmaps' },
    ],
    [
      'GET',
      '/api/v1/namespaces/x/configmaps/y',
      'configmaps "y" is forbidden: User "nobody" cannot get resource "configmaps" in API group "" in the namespace "x"',
      { name: 'y', kind: 'configmaps' },
    ],
    [
      'PATCH',
      '/apis/apps/v1/namespaces/x/deployments/y/status',
      'deployments.apps "y" is forbidden: User "nobody" cannot patch resource "deployments/status" in API group "apps" in the namespace "x"',
      { name: 'y', group: 'apps', kind: 'deployments' },
    ],
    [
      'GET',
      '/api/v1/nodes?watch=1',
      'nodes is forbidden: User "nobody" cannot watch resource "nodes" in API group "" at the cluster scope',
      { kind: 'nodes' },
    ],
    [
      'DELETE',
      '/api/v1/namespaces/x/pods',
      'pods is forbidden: User "nobody" cannot deletecollection resource "pods" in API group "" in the namespace "x"',
      { kind: 'pods' },
    ],
    [
      'DELETE',
      '/api/v1/namespaces/x/foos/a/b/c',
      'foos "a" is forbidden: User "nobody" cannot delete resource "foos/b" in API group "" in the namespace "x"',
      { name: 'a', kind: 'foos' },
    ],
    ['POST', '/metrics', 'forbidden: User "nobody" cannot post path "/metrics"', {}],
    ['POST', '/_sandbox/faults', 'forbidden: User "nobody" cannot post path "/_sandbox/faults"', {}],
  ])('%s %s', async (method, path, message, details) => {
    expect(await call(method, path, { token: nobody() })).toEqual({
      code: 403,
      body: status(403, 'Forbidden', message, details),
    })
  })
})

function status(code: number, reason: string, message: string, details?: object): object {
  const rest = details === undefined ? {} : { details }
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, ...rest, code }
}
