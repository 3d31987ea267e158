/** Who makes a request. */
export interface User {
  readonly name: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** Who comes without any credentials. */
export const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] }

/** Who may do everything. */
export function isMaster(user: User): boolean {
  return user.groups.includes('system:masters')
}

/** A user as reviews show it. */
export function userInfo({ name, uid, groups, extra }: User): Record<string, unknown> {
  return { username: name, ...(uid === undefined ? {} : { uid }), groups, ...(extra === undefined ? {} : { extra }) }
}

/** The name that a service account authenticates with. */
export function serviceAccountName(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`
}

/** The groups that every service account of a namespace is in. */
export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
}

/** The service account of a user name; undefined if the name is not that of a service account. */
export function parseServiceAccount(userName: string): { namespace: string; name: string } | undefined {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(userName) ?? []
  return namespace === undefined || name === undefined ? undefined : { namespace, name }
}
