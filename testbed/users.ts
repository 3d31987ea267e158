import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { dump } from 'js-yaml'
import type { ApiClient } from './api-client.ts'

/** Who can log in; each is also a context of the kubeconfig. */
export const userNames = ['admin', 'editor', 'reader', 'nobody', 'throttled'] as const

/** Name of a testbed user. */
export type UserName = (typeof userNames)[number]

/** The namespace in which `editor` may edit. */
export const editorNamespace = 'editor'

/** A fresh bearer token for each user. */
export function newTokens(): Record<UserName, string> {
  const token = (): string => randomBytes(24).toString('hex')
  return { admin: token(), editor: token(), reader: token(), nobody: token(), throttled: token() }
}

/** Writes the file for kube-apiserver's --token-auth-file. */
export async function writeTokenFile(path: string, tokens: Record<UserName, string>): Promise<void> {
  const lines = userNames.map((user) => {
    const groups = user === 'admin' ? 'system:masters' : `${user}s`
    return `${tokens[user]},${user},${user},"${groups}"`
  })
  await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600 })
}

/** Writes a kubeconfig with one context for each user. */
export async function writeKubeconfig(
  path: string,
  server: string,
  ca: string,
  tokens: Record<UserName, string>,
): Promise<void> {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'admin',
    clusters: [
      { name: 'testbed', cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } },
    ],
    users: userNames.map((name) => ({ name, user: { token: tokens[name] } })),
    contexts: userNames.map((name) => ({
      name,
      context: { cluster: 'testbed', user: name, ...(name === 'editor' ? { namespace: editorNamespace } : {}) },
    })),
  }
  await writeFile(path, dump(config), { mode: 0o600 })
}

/** Gives the users their rights: editor edits one namespace, reader and throttled view all, nobody may do nothing. */
export async function grantRights(api: ApiClient): Promise<void> {
  await api.apply(`/api/v1/namespaces/${editorNamespace}`, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: editorNamespace },
  })
  await api.apply(`/apis/rbac.authorization.k8s.io/v1/namespaces/${editorNamespace}/rolebindings/editor`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'editor', namespace: editorNamespace },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'editor' }],
  })
  await api.apply('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/lading-testbed-reader', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'lading-testbed-reader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [
      { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'reader' },
      { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'throttled' },
    ],
  })
  await throttle(api)
}

// A priority level without any seat that may not borrow one still lets one request at a time pass when it is idle;
// the API server's own fairness machinery answers 429 to a second one meanwhile.
async function throttle(api: ApiClient): Promise<void> {
  const flowControl = '/apis/flowcontrol.apiserver.k8s.io/v1'
  await api.apply(`${flowControl}/prioritylevelconfigurations/lading-testbed-throttled`, {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'PriorityLevelConfiguration',
    metadata: { name: 'lading-testbed-throttled' },
    spec: {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 0, borrowingLimitPercent: 0, limitResponse: { type: 'Reject' } },
    },
  })
  await api.apply(`${flowControl}/flowschemas/lading-testbed-throttled`, {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: { name: 'lading-testbed-throttled' },
    spec: {
      matchingPrecedence: 10,
      priorityLevelConfiguration: { name: 'lading-testbed-throttled' },
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: 'throttled' } }],
          resourceRules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'], namespaces: ['*'], clusterScope: true }],
        },
      ],
    },
  })
}
