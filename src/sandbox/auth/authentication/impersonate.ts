import type { IncomingMessage } from 'node:http'
import type { Store } from '../../store.ts'
import { badRequest } from '../../status-error.ts'
import { authorize } from '../authorization/authorize.ts'
import { parseServiceAccount, serviceAccountGroups, type User } from './user.ts'

const extraPrefix = 'impersonate-extra-'

/** Returns the user that a request acts as: the one named in its `Impersonate-*` headers if its own user is allowed to, else its own user. */
export function impersonate(user: User, request: IncomingMessage, store: Store): User {
  const headers = request.headersDistinct
  const name = headers['impersonate-user']?.[0] ?? ''
  const groups = headers['impersonate-group'] ?? []
  const uid = headers['impersonate-uid']?.[0] ?? ''
  const extra = extraOf(headers)
  if (name === '') {
    const asked = [...groups.map((group) => `{Group ${group} }`), ...(uid === '' ? [] : [`{UID ${uid} }`])]
    if (asked.length > 0 || Object.keys(extra).length > 0) {
      throw badRequest(`requested [${asked.join(' ')}] without impersonating a user`)
    }
    return user
  }
  const account = parseServiceAccount(name)
  const may = (resource: string, of: string, group = '', namespace = '', subresource = ''): void =>
    authorize(store, user, {
      verb: 'impersonate',
      path: '',
      resource: { group, resource, subresource, namespace, name: of },
    })
  if (account === undefined) may('users', name)
  else may('serviceaccounts', account.name, '', account.namespace)
  for (const group of groups) may('groups', group)
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values) may('userextras', value, 'authentication.k8s.io', '', key)
  }
  if (uid !== '') may('uids', uid, 'authentication.k8s.io')
  return {
    name,
    ...(uid === '' ? {} : { uid }),
    groups: groupsOf(name, groups, account?.namespace),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}

function groupsOf(name: string, asked: readonly string[], accountNamespace: string | undefined): readonly string[] {
  const own = asked.length === 0 && accountNamespace !== undefined ? serviceAccountGroups(accountNamespace) : asked
  if (name === 'system:anonymous')
    return own.includes('system:unauthenticated') ? own : [...own, 'system:unauthenticated']
  return own.includes('system:authenticated') ? own : [...own, 'system:authenticated']
}

function extraOf(headers: NodeJS.Dict<string[]>): Record<string, readonly string[]> {
  const extra: Record<string, readonly string[]> = {}
  for (const [header, values] of Object.entries(headers)) {
    if (!header.startsWith(extraPrefix) || values === undefined) continue
    extra[unescape(header.slice(extraPrefix.length))] = values
  }
  return extra
}

// Keys may hold characters that headers may not; clients then escape them.
function unescape(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}
