import type { Caller } from '../../kube/index.ts'

/** Who sent a request, as an authenticator proved it; never taken from a header that anybody can set. */
export interface Principal {
  /** The name that the cluster's RBAC sees. */
  readonly name: string
  readonly groups: readonly string[]
  readonly uid?: string
  readonly extra?: Readonly<Record<string, readonly string[]>>
  /** How it was proven. */
  readonly by: 'static-token' | 'oidc' | 'kubernetes' | 'certificate'
  /** Tells principals with different rights apart; holds no credential. */
  readonly key: string
  /** The only namespaces that this principal may use; all when absent. */
  readonly namespaces?: readonly string[]
  /** The caller's own Kubernetes token, passed on to the API server and to nobody else. */
  readonly token?: string
}

/** The identity under which requests for a principal go to the API server. */
export function callerOf({ name, groups, uid, extra, token }: Principal): Caller {
  return token === undefined ? { impersonate: { user: name, groups, uid, extra } } : { token }
}

/** Proves who sent a request from its bearer token. */
export interface Authenticator {
  readonly name: string
  /** Undefined if the token is not of its kind; throws `request.unauthorized` if it is, and does not prove anybody. */
  authenticate(token: string, signal: AbortSignal): Promise<Principal | undefined>
}
