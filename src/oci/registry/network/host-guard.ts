import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { isPrivateAddress } from './private-address.ts'

/** Finds the addresses of a name. */
export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>

/**
 * Decides where connections may lead. Each name is resolved once: what was judged is what is connected to, so that a name cannot
 * have a private address for one question and one of the internet for the next.
 */
export interface HostGuard {
  /** The addresses of a host, resolved at most once. */
  readonly addresses: ResolveName
  /**
   * Whether a host is, or is resolved to, an address of a private network. One that is not resolved is not, unless its name is
   * one that only a private network can have: a proxy that is asked for it would find it there.
   */
  readonly isPrivate: (hostname: string) => Promise<boolean>
  /** The resolver of names for connections; where they must not lead into private networks it gives no such address. */
  readonly lookup: (only: 'any' | 'public') => LookupFunction
}

/** Opens a guard for one client or one request. */
export function openHostGuard(resolve: ResolveName = resolveName): HostGuard {
  const known = new Map<string, Promise<readonly LookupAddress[]>>()
  const addresses = (hostname: string): Promise<readonly LookupAddress[]> => {
    const host = bare(hostname)
    const family = isIP(host)
    if (family !== 0) return Promise.resolve([{ address: host, family }])
    const found = known.get(host) ?? resolve(host)
    known.set(host, found)
    // What failed may be there the next time.
    found.catch(() => known.delete(host))
    return found
  }
  return {
    addresses,
    async isPrivate(hostname) {
      if (isIP(bare(hostname)) === 0 && privateName.test(bare(hostname))) return true
      const found = await addresses(hostname).catch(() => [])
      return found.some(({ address }) => isPrivateAddress(address))
    },
    lookup: (only) => (hostname, options, callback) => {
      addresses(hostname).then(
        (found) => {
          if (only === 'public' && found.some(({ address }) => isPrivateAddress(address))) {
            callback(Object.assign(new Error('a private address'), { code: privateAddressCode }), '')
          } else answer(found, options, callback)
        },
        (error: NodeJS.ErrnoException) => callback(error, ''),
      )
    },
  }
}

/** A resolver of names that gives what was found before, for a connection to exactly that. */
export function pinnedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, options, callback) => answer(addresses, options, callback)
}

/** The code of the error that a lookup of public addresses gives for a private one. */
export const privateAddressCode = 'LADING_PRIVATE_ADDRESS'

function answer(
  found: readonly LookupAddress[],
  { all, family }: Parameters<LookupFunction>[1],
  callback: Parameters<LookupFunction>[2],
): void {
  const wanted = found.filter((each) => (family !== 4 && family !== 6 ? true : each.family === family))
  const [first] = wanted
  if (first === undefined) callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '')
  else if (all === true) callback(null, [...wanted])
  else callback(null, first.address, first.family)
}

function resolveName(hostname: string): Promise<readonly LookupAddress[]> {
  return promisify(dnsLookup)(hostname, { all: true })
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

// Names without a dot, and the domains that the internet does not have (RFC 6762, RFC 8375, ICANN's reservation of .internal).
const privateName = /^[^.]+\.?$|\.(?:local|localhost|internal|intranet|corp|home|lan|home\.arpa)\.?$/i
