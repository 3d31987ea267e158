import { describe, expect, test } from 'vitest'
import { manualClock } from '../../../core/index.ts'
import { type Answer, sandboxUsers } from '../testdata/sandbox-users.ts'

// What is asserted was compared with a kube-apiserver 1.35.
const clock = manualClock(Date.UTC(2026, 0, 1))
const { admin, call, nobody } = sandboxUsers(clock)

describe('roles', () => {
  test('a binding in a namespace opens that namespace only, and closes it again when it goes', async () => {
    const { rbac } = paths('ns-a')
    await admin('POST', '/api/v1/namespaces', { metadata: { name: 'ns-a' } })
    await admin('POST', `${rbac}/rolebindings`, bindingTo('ClusterRole', 'view', { kind: 'User', name: 'nobody' }))
    expect((await call('GET', '/api/v1/namespaces/ns-a/configmaps', { token: nobody() })).code).toBe(200)
    expect((await call('GET', '/api/v1/namespaces/ns-a/secrets', { token: nobody() })).code).toBe(403)
    expect((await call('GET', '/api/v1/namespaces/default/configmaps', { token: nobody() })).code).toBe(403)
    expect((await call('GET', '/api/v1/configmaps', { token: nobody() })).code).toBe(403)
    await admin('DELETE', `${rbac}/rolebindings/b`)
    expect((await call('GET', '/api/v1/namespaces/ns-a/configmaps', { token: nobody() })).code).toBe(403)
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
      (await call(method, path, { token: nobody() })).code
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
    const { body } = await call('GET', '/api/v1/namespaces/ns-c/pods', { token: nobody() })
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
      call('POST', `${reviews}/selfsubjectaccessreviews`, { token: nobody(), body: { spec } })
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
      token: nobody(),
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
    expect((await call('POST', `${reviews}/subjectaccessreviews`, { token: nobody(), body })).code).toBe(403)
  })

  test('tokens are looked up', async () => {
    const review = (token: string): Promise<Answer> =>
      admin('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } })
    expect((await review(nobody())).body['status']).toMatchObject({ authenticated: true, user: { username: 'nobody' } })
    expect((await review('wrong')).body['status']).toEqual({ user: {}, error: 'invalid bearer token' })
  })
})

function bindingTo(kind: string, name: string, subject: object): object {
  const apiGroup = 'rbac.authorization.k8s.io'
  return { metadata: { name: 'b' }, roleRef: { apiGroup, kind, name }, subjects: [{ apiGroup, ...subject }] }
}

function paths(namespace: string): { rbac: string } {
  return { rbac: `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}` }
}
