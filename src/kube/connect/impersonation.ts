import { defined, type LadingError } from '../../core/index.ts'
import type { Fields } from './fields.ts'
import { headerValue } from './header-value.ts'

/** Somebody else to act as; needs the `impersonate` right. */
export interface Impersonation {
  readonly user?: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

type Invalid = (problem: string) => LadingError

/** The headers of an impersonation; without a user there must be nothing else, as in client-go. */
export function impersonationHeaders(who: Impersonation, invalid: Invalid): Record<string, string | string[]> {
  const { user, uid, groups = [], extra = {} } = who
  if (user === undefined) {
    if (uid !== undefined || groups.length > 0 || Object.keys(extra).length > 0) {
      throw invalid('a uid, groups or extra fields can only be impersonated together with a user')
    }
    return {}
  }
  const value = (text: string): string => headerValue(text, invalid)
  const headers: Record<string, string | string[]> = { 'impersonate-user': value(user) }
  if (uid !== undefined) headers['impersonate-uid'] = value(uid)
  if (groups.length > 0) headers['impersonate-group'] = groups.map(value)
  for (const [key, values] of Object.entries(extra)) headers[`impersonate-extra-${extraKey(key)}`] = values.map(value)
  return headers
}

/** The impersonation that a kubeconfig's user entry asks for. */
export function readImpersonation(user: Fields): Impersonation {
  const name = user.text('as')
  const uid = user.text('as-uid')
  const extra = user.map('as-user-extra')
  return {
    ...defined({ user: name, uid }),
    groups: user.texts('as-groups'),
    extra: Object.fromEntries((extra?.keys() ?? []).map((key) => [key, extra?.texts(key) ?? []])),
  }
}

/** Header names hold tokens only; client-go escapes every other byte, and the API server lower-cases what it reads. */
function extraKey(key: string): string {
  let escaped = ''
  for (const byte of Buffer.from(key.toLowerCase(), 'utf8')) {
    const char = String.fromCharCode(byte)
    escaped += /[a-z0-9!#$&'*+.^_`|~-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return escaped
}
