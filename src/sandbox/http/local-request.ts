import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/**
 * Whether a request was meant for this machine. A web page that bound its own name to the loopback address (DNS rebinding) names itself
 * as the host, and one that asks across origins as the origin; programs name no origin at all.
 */
export function isLocalRequest({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const { host, origin } = headers
  return (host === undefined || isLocal(`http://${host}`)) && (origin === undefined || isLocal(origin))
}

// Addresses cannot be bound anew, and the other names exist only where their owner is: RFC 6761, RFC 6762, ICANN's .internal.
function isLocal(address: string): boolean {
  const name = URL.parse(address)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return isIP(name) !== 0 || /^[^.]+$|\.(?:localhost|local|internal|test)$/i.test(name)
}
