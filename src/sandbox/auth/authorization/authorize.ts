import { StatusError } from '../../status-error.ts'
import type { Store } from '../../store.ts'
import type { Attributes } from './attributes.ts'
import { decide } from './rbac.ts'
import type { User } from '../authentication/user.ts'

/** Throws 403, in the API server's words, if the stored roles do not allow the user to do this. */
export function authorize(store: Store, user: User, wanted: Attributes): void {
  const { allowed, reason } = decide(store, user, wanted)
  if (!allowed) throw refusal(user, wanted, reason)
}

function refusal(user: User, wanted: Attributes, reason: string): StatusError {
  const why = reason === '' ? '' : `: ${reason}`
  const { verb, path, resource } = wanted
  if (resource === undefined) {
    return new StatusError(403, 'Forbidden', `forbidden: User "${user.name}" cannot ${verb} path "${path}"${why}`, {})
  }
  const { group, namespace, name } = resource
  const qualified = group === '' ? resource.resource : `${resource.resource}.${group}`
  const full = resource.subresource === '' ? resource.resource : `${resource.resource}/${resource.subresource}`
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`
  const message =
    `${qualified}${name === '' ? '' : ` "${name}"`} is forbidden: User "${user.name}" cannot ${verb} ` +
    `resource "${full}" in API group "${group}" ${scope}${why}`
  return new StatusError(403, 'Forbidden', message, {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind: resource.resource,
  })
}
