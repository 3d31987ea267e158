import { BlockList, isIP } from 'node:net'

/** Addresses of this machine and its link: loopback, unspecified, link-local. */
const localV4: readonly Range[] = [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
]
const localV6: readonly Range[] = [
  ['::', 127],
  ['fe80::', 10],
]

/** All others that the internet does not route: private, shared, reserved, benchmarking, multicast, site-local. */
const otherV4: readonly Range[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
const otherV6: readonly Range[] = [
  // IPv4-compatible addresses (RFC 4291, deprecated) and Teredo (RFC 4380) name an IPv4 address that is reached in other ways.
  ['::', 96],
  ['2001::', 32],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['fc00::', 7],
  ['fec0::', 10],
  ['ff00::', 8],
]

type Range = readonly [network: string, prefix: number]

/** Whether an IP address belongs to this machine, its neighbours or a private network, not to the internet. */
export function isPrivateAddress(address: string): boolean {
  return isIn(privateRanges, address)
}

/** Whether an IP address belongs to this machine or its link: loopback, unspecified or link-local, in any spelling. */
export function isLocalAddress(address: string): boolean {
  return isIn(localRanges, address)
}

// A zone (fe80::1%eth0) names an interface, not another address. What is no address at all is not let through.
function isIn(ranges: BlockList, text: string): boolean {
  const address = text.replace(/%.*$/s, '')
  const family = isIP(address)
  return family === 0 || ranges.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

const localRanges = blockList(localV4, localV6)
const privateRanges = blockList([...localV4, ...otherV4], [...localV6, ...otherV6])

/**
 * The ranges, and those of IPv6 that lead to one of the IPv4 ranges: IPv4-compatible (::a.b.c.d), translated (::ffff:0:a.b.c.d,
 * RFC 2765), NAT64 (64:ff9b::a.b.c.d, RFC 6052) and 6to4 (2002:ab:cd::, RFC 3056). Mapped ones (::ffff:a.b.c.d) Node judges as IPv4.
 */
function blockList(v4: readonly Range[], v6: readonly Range[]): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of v6) list.addSubnet(network, prefix, 'ipv6')
  for (const [network, prefix] of v4) {
    list.addSubnet(network, prefix, 'ipv4')
    for (const before of ['::', '::ffff:0:', '64:ff9b::']) list.addSubnet(`${before}${network}`, 96 + prefix, 'ipv6')
    const [a = 0, b = 0, c = 0, d = 0] = network.split('.').map(Number)
    list.addSubnet(`2002:${hex(a, b)}:${hex(c, d)}::`, 16 + prefix, 'ipv6')
  }
  return list
}

function hex(high: number, low: number): string {
  return ((high << 8) | low).toString(16)
}
