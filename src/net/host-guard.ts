import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { isLocalAddress, isPrivateAddress } from './private-address.ts'

/** The addresses of a name. */
export type Addresses = readonly LookupAddress[]

/** Resolves a name to its addresses. */
export type ResolveName = (hostname: string) => Promise<Addresses>

/**
 * Which addresses a request may reach: `any`; `public` ones only; or, with `not-local`, all but those of this machine and its
 * link.
 */
export type Reach = 'any' | 'public' | 'not-local'

/**
 * Decides where connections may lead. Each name is resolved once and the connection goes to the addresses that were checked, so
 * that a name cannot have a public address for the check and a private one for the connection.
 */
export interface HostGuard {
  /** The addresses of a host, resolved at most once. */
  readonly addresses: ResolveName
  /**
   * Whether a host is, or resolves to, an address of a private network. A name that cannot be resolved here is not private, unless
   * only a private network can have such a name: a proxy might resolve it there.
   */
  readonly isPrivate: (hostname: string) => Promise<boolean>
  /** Whether a request of this reach must not be sent to the host. */
  readonly isForbidden: (hostname: string, reach: Reach) => Promise<boolean>
  /** The resolver for connections of this reach; it fails for a name with a forbidden address. */
  readonly lookup: (reach: Reach) => LookupFunction
}

/** Opens a guard for one client or one request. */
export function openHostGuard(resolve: ResolveName = resolveName): HostGuard {
  const known = new Map<string, Promise<Addresses>>()
  const addresses = (hostname: string): Promise<Addresses> => {
    const host = bare(hostname)
    const family = isIP(host)
    if (family !== 0) return Promise.resolve([{ address: host, family }])
    const found = known.get(host) ?? resolve(host)
    known.set(host, found)
    // A name that was not resolved may be there the next time.
    found.catch(() => known.delete(host))
    return found
  }
  const isForbidden = async (hostname: string, reach: Reach): Promise<boolean> => {
    if (reach === 'any') return false
    if (reach === 'public' && isIP(bare(hostname)) === 0 && privateName.test(bare(hostname))) return true
    return hasForbidden(await addresses(hostname).catch(() => []), reach)
  }
  return {
    addresses,
    isForbidden,
    isPrivate: (hostname) => isForbidden(hostname, 'public'),
    lookup: (reach) => (hostname, options, callback) => {
      addresses(hostname).then(
        (found) => {
          if (hasForbidden(found, reach)) {
            callback(Object.assign(new Error('a forbidden address'), { code: forbiddenAddressCode }), '')
          } else answer(found, options, callback)
        },
        (error: NodeJS.ErrnoException) => callback(error, ''),
      )
    },
  }
}

/** The code of the error with which a lookup refuses a forbidden address. */
export const forbiddenAddressCode = 'LADING_FORBIDDEN_ADDRESS'

function hasForbidden(found: Addresses, reach: Reach): boolean {
  if (reach === 'any') return false
  return found.some(({ address }) => (reach === 'public' ? isPrivateAddress(address) : isLocalAddress(address)))
}

function answer(
  found: Addresses,
  { all, family }: Parameters<LookupFunction>[1],
  callback: Parameters<LookupFunction>[2],
): void {
  const wanted = found.filter((each) => (family !== 4 && family !== 6 ? true : each.family === family))
  const [first] = wanted
  if (first === undefined) callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '')
  else if (all === true) callback(null, [...wanted])
  else callback(null, first.address, first.family)
}

function resolveName(hostname: string): Promise<Addresses> {
  return promisify(dnsLookup)(hostname, { all: true })
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

// Names without a dot, and the domains that the internet does not have (RFC 6762, RFC 8375, ICANN's reservation of .internal).
const privateName = /^[^.]+\.?$|\.(?:local|localhost|internal|intranet|corp|home|lan|home\.arpa)\.?$/i
