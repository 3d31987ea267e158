import { isRecord, type KubeObject } from '../../../core/index.ts'
import type { Store } from '../../store.ts'
import type { Attributes } from './attributes.ts'
import { rulesAllow } from './match-rules.ts'
import { isMaster, parseServiceAccount, type User } from '../authentication/user.ts'

/** What authorization says to a request. */
export interface Decision {
  readonly allowed: boolean
  /** Which binding allows it, or which roles could not be found. */
  readonly reason: string
}

/** One rule of a role, loosely: stored roles are whatever was stored. */
export type PolicyRule = Readonly<Record<string, unknown>>

/** Decides from the stored roles and bindings; members of `system:masters` may do everything. */
export function decide(store: Store, user: User, wanted: Attributes): Decision {
  if (isMaster(user)) return { allowed: true, reason: '' }
  const missing: string[] = []
  for (const grant of grantsOf(store, user, wanted.resource?.namespace ?? '', missing)) {
    if (rulesAllow(grant.rules, wanted)) return { allowed: true, reason: `RBAC: allowed by ${grant.description}` }
  }
  const reason = missing.length > 1 ? `RBAC: [${missing.join(', ')}]` : missing.map((text) => `RBAC: ${text}`).join('')
  return { allowed: false, reason }
}

/** Everything that a user may do in a namespace, in the order of the bindings. */
export function rulesFor(store: Store, user: User, namespace: string): PolicyRule[] {
  return [...grantsOf(store, user, namespace, [])].flatMap(({ rules }) => rules)
}

interface Grant {
  readonly rules: readonly PolicyRule[]
  readonly description: string
}

function* grantsOf(store: Store, user: User, namespace: string, missing: string[]): Generator<Grant> {
  const bindings = [
    ...store.list('rbac.authorization.k8s.io/clusterrolebindings'),
    ...(namespace === '' ? [] : store.list('rbac.authorization.k8s.io/rolebindings', namespace)),
  ]
  for (const binding of bindings) {
    const subject = subjectOf(binding, user)
    const { kind, name } = isRecord(binding['roleRef']) ? binding['roleRef'] : {}
    if (subject === undefined || typeof kind !== 'string' || typeof name !== 'string') continue
    const role = roleOf(store, binding, kind, name)
    if (role === undefined) {
      missing.push(`${kind.toLowerCase()}.rbac.authorization.k8s.io "${name}" not found`)
      continue
    }
    const rules = Array.isArray(role['rules']) ? role['rules'].filter(isRecord) : []
    const own = binding.metadata.namespace === undefined ? '' : `/${binding.metadata.namespace}`
    yield { rules, description: `${binding.kind} "${binding.metadata.name}${own}" of ${kind} "${name}" to ${subject}` }
  }
}

function roleOf(store: Store, binding: KubeObject, kind: string, name: string): KubeObject | undefined {
  if (kind === 'ClusterRole') return store.get('rbac.authorization.k8s.io/clusterroles', '', name)
  return store.get('rbac.authorization.k8s.io/roles', binding.metadata.namespace ?? '', name)
}

/** The first subject of a binding that the user is, in words. */
function subjectOf(binding: KubeObject, user: User): string | undefined {
  const subjects = Array.isArray(binding['subjects']) ? binding['subjects'].filter(isRecord) : []
  const account = parseServiceAccount(user.name)
  for (const { kind, name, namespace = binding.metadata.namespace } of subjects) {
    if (kind === 'User' && name === user.name) return `User "${user.name}"`
    if (kind === 'Group' && user.groups.includes(String(name))) return `Group "${String(name)}"`
    if (kind !== 'ServiceAccount' || account === undefined) continue
    if (account.name === name && account.namespace === namespace) {
      return `ServiceAccount "${account.name}/${account.namespace}"`
    }
  }
  return undefined
}
