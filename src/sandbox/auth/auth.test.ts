import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { manualClock } from '../../core/index.ts'
import { type Sandbox, startSandbox } from '../start.ts'

// Over plain HTTP, so that fetch needs no certificate; what is asserted was compared with a kube-apiserver 1.35.
const clock = manualClock(Date.UTC(2026, 0, 1))
let sandbox: Sandbox
let nobody: string

beforeAll(async () => {
  sandbox = await startSandbox({ tls: false, clock })
  const { users } = JSON.parse(readFileSync(sandbox.kubeconfig, 'utf8')) as Kubeconfig
  nobody = users.find(({ name }) => name === 'nobody')?.user.token ?? ''
})

afterAll(() => sandbox.stop())

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
    expect(await whoami({ token: sandbox.token })).toEqual({
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
    expect(await whoami({ token: sandbox.token, headers })).toEqual({
      username: 'bob',
      uid: 'u1',
      groups: ['devs', 'system:authenticated'],
      extra: { scopes: ['a'] },
    })
  })

  test('as a service account gives its groups', async () => {
    const headers = { 'impersonate-user': 'system:serviceaccount:shop:web' }
    expect(await whoami({ token: sandbox.token, headers })).toEqual({
      username: 'system:serviceaccount:shop:web',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
    })
  })

  test('is refused to others, and makes no sense without a user', async () => {
    const refused = await call('GET', '/api/v1/nodes', { token: nobody, headers: { 'impersonate-user': 'bob' } })
    expect(refused.body['message']).toBe(
      'users "bob" is forbidden: User "nobody" cannot impersonate resource "users" in API group "" at the cluster scope',
    )
    const senseless = await call('GET', '/api/v1/nodes', { token: nobody, headers: { 'impersonate-group': 'bob' } })
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
    expect(await call(method, path, { token: nobody })).toEqual({
      code: 403,
      body: status(403, 'Forbidden', message, details),
    })
  })
})

describe('roles', () => {
  test('a binding in a namespace opens that namespace only, and closes it again when it goes', async () => {
    const { rbac } = paths('ns-a')
    await admin('POST', '/api/v1/namespaces', { metadata: { name: 'ns-a' } })
    await admin('POST', `${rbac}/rolebindings`, bindingTo('ClusterRole', 'view', { kind: 'User', name: 'nobody' }))
    expect((await call('GET', '/api/v1/namespaces/ns-a/configmaps', { token: nobody })).code).toBe(200)
    expect((await call('GET', '/api/v1/namespaces/ns-a/secrets', { token: nobody })).code).toBe(403)
    expect((await call('GET', '/api/v1/namespaces/default/configmaps', { token: nobody })).code).toBe(403)
    expect((await call('GET', '/api/v1/configmaps', { token: nobody })).code).toBe(403)
    await admin('DELETE', `${rbac}/rolebindings/b`)
    expect((await call('GET', '/api/v1/namespaces/ns-a/configmaps', { token: nobody })).code).toBe(403)
  })

  test('verbs, names, subresources and groups of a role count', async () => {
    const { rbac } = paths('ns-b')
    await admin('POST', '/api/v1/namespaces', { metadata: { name: 'ns-b' } })
    await admin('POST', `${rbac}/roles`, {
      metadata: { name: 'r' },
      rules: [
        { apiGroups: [''], resources: ['configmaps'], resourceNames: ['mine'], verbs: ['get', 'list'] },
        { apiGroups: ['apps'], resources: ['*/scale'], verbs: ['*'] },
      ],
    })
    await admin('POST', `${rbac}/rolebindings`, bindingTo('Role', 'r', { kind: 'Group', name: 'nobodies' }))
    const asNobody = async (method: string, path: string): Promise<number> =>
      (await call(method, path, { token: nobody })).code
    expect(await asNobody('GET', '/api/v1/namespaces/ns-b/configmaps/mine')).toBe(404)
    expect(await asNobody('GET', '/api/v1/namespaces/ns-b/configmaps/other')).toBe(403)
    expect(await asNobody('DELETE', '/api/v1/namespaces/ns-b/configmaps/mine')).toBe(403)
    expect(await asNobody('GET', '/apis/apps/v1/namespaces/ns-b/deployments/d/scale')).toBe(404)
    expect(await asNobody('GET', '/apis/apps/v1/namespaces/ns-b/deployments/d')).toBe(403)
    // A list of one name is a request for that name; one of all names is not.
    const selected = '/api/v1/namespaces/ns-b/configmaps?fieldSelector=metadata.name%3Dmine'
    expect(await asNobody('GET', selected)).toBe(200)
    expect(await asNobody('GET', '/api/v1/namespaces/ns-b/configmaps')).toBe(403)
  })

  test('a binding to a role that is not there says so', async () => {
    const { rbac } = paths('ns-c')
    await admin('POST', '/api/v1/namespaces', { metadata: { name: 'ns-c' } })
    await admin('POST', `${rbac}/rolebindings`, bindingTo('Role', 'lost', { kind: 'User', name: 'nobody' }))
    const { body } = await call('GET', '/api/v1/namespaces/ns-c/pods', { token: nobody })
    expect(body['message']).toMatch(
      /in the namespace "ns-c": RBAC: role\.rbac\.authorization\.k8s\.io "lost" not found$/,
    )
  })

  test('a role gathers the rules of those that it selects, now and later', async () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
    const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' }
    const rules = [{ apiGroups: ['example.com'], resources: ['gadgets'], verbs: ['get'] }]
    await admin('POST', roles, { metadata: { name: 'gadget-view', labels }, rules })
    for (const name of ['view', 'edit', 'admin']) {
      expect((await admin('GET', `${roles}/${name}`)).body['rules']).toContainEqual(rules[0])
    }
    await admin('DELETE', `${roles}/gadget-view`)
    expect((await admin('GET', `${roles}/admin`)).body['rules']).not.toContainEqual(rules[0])
  })
})

describe('reviews', () => {
  const reviews = '/apis/authorization.k8s.io/v1'

  test('somebody learns what they may, and why', async () => {
    const ask = (spec: object): Promise<Answer> =>
      call('POST', `${reviews}/selfsubjectaccessreviews`, { token: nobody, body: { spec } })
    const pods = await ask({ resourceAttributes: { namespace: 'x', verb: 'list', resource: 'pods' } })
    expect(pods).toMatchObject({ code: 201, body: { kind: 'SelfSubjectAccessReview', status: { allowed: false } } })
    const path = await ask({ nonResourceAttributes: { verb: 'get', path: '/api' } })
    expect(path.body['status']).toEqual({
      allowed: true,
      reason:
        'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"',
    })
    expect((await ask({})).code).toBe(422)
  })

  test('somebody lists their rules', async () => {
    const { body } = await call('POST', `${reviews}/selfsubjectrulesreviews`, {
      token: nobody,
      body: { spec: { namespace: 'x' } },
    })
    expect(body['status']).toMatchObject({
      incomplete: false,
      resourceRules: [{ verbs: ['create'] }, { verbs: ['create'] }],
    })
  })

  test('an administrator asks about others; others may not', async () => {
    const body = { spec: { user: 'nobody', resourceAttributes: { verb: 'list', resource: 'pods' } } }
    const asked = await admin('POST', `${reviews}/subjectaccessreviews`, body)
    expect(asked.body['status']).toEqual({ allowed: false })
    expect((await call('POST', `${reviews}/subjectaccessreviews`, { token: nobody, body })).code).toBe(403)
  })

  test('tokens are looked up', async () => {
    const review = (token: string): Promise<Answer> =>
      admin('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } })
    expect((await review(nobody)).body['status']).toMatchObject({ authenticated: true, user: { username: 'nobody' } })
    expect((await review('wrong')).body['status']).toEqual({ user: {}, error: 'invalid bearer token' })
  })
})

interface Kubeconfig {
  users: { name: string; user: { token: string } }[]
}

interface Answer {
  readonly code: number
  readonly body: Record<string, unknown>
}

interface Call {
  readonly token?: string
  readonly authorization?: string
  readonly headers?: Record<string, string>
  readonly body?: object
}

async function call(method: string, path: string, { token, authorization, headers, body }: Call = {}): Promise<Answer> {
  const credentials = authorization ?? (token === undefined ? undefined : `Bearer ${token}`)
  const response = await fetch(`${sandbox.url}${path}`, {
    method,
    headers: {
      ...headers,
      ...(credentials === undefined ? {} : { authorization: credentials }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { code: response.status, body: (text.startsWith('{') ? JSON.parse(text) : { text }) as Answer['body'] }
}

function admin(method: string, path: string, body?: object): Promise<Answer> {
  return call(method, path, { token: sandbox.token, ...(body === undefined ? {} : { body }) })
}

async function whoami(as: Call): Promise<unknown> {
  const { body } = await call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { ...as, body: {} })
  return (body['status'] as { userInfo: unknown }).userInfo
}

function bindingTo(kind: string, name: string, subject: object): object {
  const apiGroup = 'rbac.authorization.k8s.io'
  return { metadata: { name: 'b' }, roleRef: { apiGroup, kind, name }, subjects: [{ apiGroup, ...subject }] }
}

function paths(namespace: string): { rbac: string } {
  return { rbac: `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}` }
}

function status(code: number, reason: string, message: string, details?: object): object {
  const rest = details === undefined ? {} : { details }
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, ...rest, code }
}
