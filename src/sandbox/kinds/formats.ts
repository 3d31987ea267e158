const ipv4 = /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}$/

/** The number of a port. */
export function isPort(value: unknown): boolean {
  return typeof value === 'number' && value >= 1 && value <= 65_535
}

/** An IPv4 address, or what looks like an IPv6 one. */
export function isAddress(text: string): boolean {
  return ipv4.test(text) || (text.includes(':') && /^[0-9a-fA-F:.]+$/.test(text))
}
