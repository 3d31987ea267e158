import { isIP } from 'node:net'

/**
 * Whether credentials of a registry may go to a token server: to the registry's own host and port, to a host of its domain on the
 * usual port (registry.example.com and auth.example.com), or to one that was allowed, as HOST or HOST:PORT.
 */
export function mayHaveCredentials(realm: URL, registry: URL, allowed: readonly string[] = []): boolean {
  if (realm.host === registry.host && realm.protocol === registry.protocol) return true
  if (allowed.some((host) => isAllowed(realm, host))) return true
  const domain = domainOf(registry.hostname)
  if (domain === undefined || realm.protocol !== 'https:' || realm.port !== '') return false
  return realm.hostname === domain || realm.hostname.endsWith(`.${domain}`)
}

function isAllowed(realm: URL, host: string): boolean {
  const wanted = URL.parse(`${realm.protocol}//${host}`)
  return wanted !== null && wanted.hostname === realm.hostname && wanted.port === realm.port
}

/**
 * The domain that a registry's host belongs to: the name without its first label, or the name itself if no domain that one
 * owner has would be left. A list of such suffixes is not kept here: a short label before a country's (co.uk) is taken for one.
 */
function domainOf(hostname: string): string | undefined {
  const labels = hostname.replace(/\.$/, '').split('.')
  if (labels.length < 2 || isIP(hostname) !== 0 || hostname.startsWith('[')) return undefined
  const [parent = '', top = ''] = labels.slice(-2)
  const suffix = top.length === 2 && parent.length <= 3 ? 2 : 1
  return labels.length > suffix + 1 ? labels.slice(1).join('.') : labels.join('.')
}
