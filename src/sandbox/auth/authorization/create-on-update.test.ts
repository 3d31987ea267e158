import { expect, test } from 'vitest'
import { manualClock } from '../../../core/index.ts'
import { sandboxUsers } from '../testdata/sandbox-users.ts'

const { admin, adminToken, call } = sandboxUsers(manualClock(Date.UTC(2026, 0, 1)))
const rbac = '/apis/rbac.authorization.k8s.io/v1'

test('who may change but not create an object does not create it by apply or PUT either', async () => {
  const rules = [
    { apiGroups: ['', 'coordination.k8s.io'], resources: ['configmaps', 'leases'], verbs: ['patch', 'update'] },
  ]
  await admin('POST', `${rbac}/clusterroles`, { metadata: { name: 'changer' }, rules })
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'changer' }
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }]
  await admin('POST', `${rbac}/clusterrolebindings`, { metadata: { name: 'changer' }, roleRef, subjects })
  const as = { token: adminToken(), headers: { 'impersonate-user': 'ann' } }

  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
  const path = '/api/v1/namespaces/default/configmaps'
  const authorization = `Bearer ${adminToken()}`
  const apply = (): ReturnType<typeof call> =>
    call('PATCH', `${path}/a?fieldManager=ann`, {
      authorization,
      headers: { 'impersonate-user': 'ann', 'content-type': 'application/apply-patch+yaml' },
      body: map,
    })
  const refused = await apply()
  expect(refused.code).toBe(403)
  expect(refused.body['message']).toBe(
    'configmaps "a" is forbidden: User "ann" cannot create resource "configmaps" in API group "" in the namespace "default"',
  )
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a' } }
  const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
  expect((await call('PUT', `${leases}/a`, { ...as, body: lease })).code).toBe(403)
  expect((await admin('PUT', `${leases}/a`, lease)).code).toBe(201)

  await admin('POST', path, map)
  expect((await apply()).code).toBe(200)
})
