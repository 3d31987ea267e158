import type { Cluster } from '../kube/index.ts'

/** A kind of object as access rules name it, such as `helmreleases` of `helm.toolkit.fluxcd.io`. */
export interface AccessedResource {
  readonly group: string
  /** The plural that paths use. */
  readonly resource: string
}

/** Objects of one kind in one namespace. */
export interface AccessScope extends AccessedResource {
  readonly namespace: string
}

/** Whoever a view of an adapter is for. */
export interface CallerAccess {
  /** The cluster under the caller's identity. A write may go on after the call that began it, until the adapter is closed. */
  readonly cluster: Cluster
  /** Whether the caller may do something. An empty namespace means all of them, as in a SubjectAccessReview. */
  may(verb: string, resource: AccessedResource, namespace: string, name?: string): Promise<boolean>
}

/** The scopes of a list that a caller may list; without a caller all of them. Rights in all namespaces are asked for first. */
export async function listableScopes<Scope extends AccessScope>(
  access: CallerAccess | undefined,
  scopes: readonly Scope[],
): Promise<ReadonlySet<Scope>> {
  if (access === undefined) return new Set(scopes)
  const everywhere = new Map<string, Promise<boolean>>()
  const mayEverywhere = (scope: Scope): Promise<boolean> => {
    const key = `${scope.group}/${scope.resource}`
    const asked = everywhere.get(key) ?? access.may('list', scope, '')
    everywhere.set(key, asked)
    return asked
  }
  const answers = await Promise.all(
    scopes.map(async (scope) => (await mayEverywhere(scope)) || (await access.may('list', scope, scope.namespace))),
  )
  return new Set(scopes.filter((_, index) => answers[index]))
}

/** Whether a caller may read one object; without a caller it may be read. */
export async function isReadable(access: CallerAccess | undefined, scope: AccessScope, name: string): Promise<boolean> {
  return access === undefined || (await access.may('get', scope, scope.namespace, name))
}
