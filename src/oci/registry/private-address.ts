import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { promisify } from 'node:util'

const ranges: readonly [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['240.0.0.0', 4],
  ['::', 127],
  ['64:ff9b:1::', 48],
  ['fc00::', 7],
  ['fe80::', 10],
]

/** Whether an IP address belongs to this machine, its neighbours or a private network, not to the internet. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  // An IPv4 address in IPv6's clothes (::ffff:127.0.0.1) is judged as what it is.
  return privateRanges.check(address, family)
}

/**
 * Whether a host is, or is resolved to, an address of a private network. One that is not resolved is not, unless its name is one that
 * only a private network can have: a proxy that is asked for it would find it there.
 */
export async function isPrivateHost(hostname: string): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return isPrivateAddress(host)
  if (privateName.test(host)) return true
  const addresses = await promisify(lookup)(host, { all: true }).catch(() => [])
  return addresses.some(({ address }) => isPrivateAddress(address))
}

/** A resolver of names for connections that must not lead into private networks; it decides on what is connected to. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '')
    if (addresses.some(({ address }) => isPrivateAddress(address))) {
      return callback(Object.assign(new Error('a private address'), { code: privateAddressCode }), '')
    }
    if (options.all === true) return callback(null, addresses)
    callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
  })
}

/** The code of the error that `publicLookup` gives. */
export const privateAddressCode = 'LADING_PRIVATE_ADDRESS'

// Names without a dot, and the domains that the internet does not have (RFC 6762, RFC 8375, ICANN's reservation of .internal).
const privateName = /^[^.]+\.?$|\.(?:local|localhost|internal|intranet|corp|home|lan|home\.arpa)\.?$/i

const privateRanges = new BlockList()
for (const [network, prefix] of ranges) privateRanges.addSubnet(network, prefix, isIP(network) === 6 ? 'ipv6' : 'ipv4')
// Where IPv6 alone is spoken, a gateway finds them under this prefix too (NAT64, RFC 6052).
for (const [network, prefix] of ranges) {
  if (isIP(network) === 4) privateRanges.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6')
}
