import { context, type KubeObject, type ObjectRef } from '../src/core/index.ts'
import { createObject, deleteObject } from '../src/kube/index.ts'
import type { SoakCluster } from './clusters.ts'

const ctx = context()

/** An account of the cluster that may do everything in one namespace. */
export interface Account {
  readonly token: string
  revoke(): Promise<void>
  grant(): Promise<void>
  remove(): Promise<void>
}

const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' }
const roleRef = { apiGroup: 'rbac.authorization.k8s.io' }

/** Makes the account, with rights by RBAC. */
export async function makeAccount({ cluster }: SoakCluster, namespace: string): Promise<Account> {
  const name = 'soak-account'
  const subjects = [{ kind: 'ServiceAccount', name, namespace }]
  const make = async (object: KubeObject): Promise<void> => void (await createObject(cluster, object, {}, ctx))
  await make({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } })
  const all = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]
  await make({ ...rbac, kind: 'Role', metadata: { name, namespace }, rules: all })
  // Lading looks at its namespace, and at the one that tells clusters apart.
  const looks = [
    { apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['get', 'list', 'watch'] },
  ]
  await make({ ...rbac, kind: 'ClusterRole', metadata: { name: namespace }, rules: looks })
  const reader = { ...roleRef, kind: 'ClusterRole', name: namespace }
  await make({ ...rbac, kind: 'ClusterRoleBinding', metadata: { name: namespace }, roleRef: reader, subjects })
  const binding = {
    ...rbac,
    kind: 'RoleBinding',
    metadata: { name, namespace },
    roleRef: { ...roleRef, kind: 'Role', name },
    subjects,
  }
  const user = `system:serviceaccount:${namespace}:${name}`
  const grant = async (): Promise<void> => {
    await make(binding)
    await untilAllowed(cluster, namespace, user, true)
  }
  await grant()
  return {
    token: await tokenOf(cluster, namespace, name),
    grant,
    async revoke() {
      await deleteObject(cluster, ref('RoleBinding', name, namespace), {}, ctx)
      await untilAllowed(cluster, namespace, user, false)
    },
    async remove() {
      for (const kind of ['ClusterRoleBinding', 'ClusterRole'])
        await deleteObject(cluster, ref(kind, namespace), {}, ctx)
    },
  }
}

function ref(kind: string, name: string, namespace?: string): ObjectRef {
  return {
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
  }
}

async function tokenOf({ transport }: SoakCluster['cluster'], namespace: string, name: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } }
  const { body: answer } = await transport.request({ method: 'POST', path, body }, ctx)
  return (answer as { status: { token: string } }).status.token
}

/** The API server learns of rights by a watch, so that a change counts a little later. */
async function untilAllowed(
  { transport }: SoakCluster['cluster'],
  namespace: string,
  user: string,
  wanted: boolean,
): Promise<void> {
  const resourceAttributes = { namespace, verb: 'create', resource: 'configmaps', version: 'v1' }
  const spec = { user, groups: ['system:serviceaccounts', 'system:authenticated'], resourceAttributes }
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec }
  for (;;) {
    const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
    const { body } = await transport.request({ method: 'POST', path, body: review }, ctx)
    if ((body as { status: { allowed: boolean } }).status.allowed === wanted) return
    await ctx.clock.sleep(20)
  }
}
