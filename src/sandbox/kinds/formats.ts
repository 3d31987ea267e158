const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const label1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/
const namePart = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/
const dataKey = /^[-._a-zA-Z0-9]+$/
const portName = /^[a-z0-9](-?[a-z0-9])*$/
const ipv4 = /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}$/

/** One part of a DNS name (RFC 1123). */
export function isLabel(text: string): boolean {
  return text.length <= 63 && label.test(text)
}

/** One part of a DNS name that starts with a letter (RFC 1035). */
export function isLabel1035(text: string): boolean {
  return text.length <= 63 && label1035.test(text)
}

/** A DNS name (RFC 1123). */
export function isSubdomain(text: string): boolean {
  return text.length <= 253 && subdomain.test(text)
}

/** The value of a label. */
export function isLabelValue(text: string): boolean {
  return text.length <= 63 && labelValue.test(text)
}

/** The key of a label or an annotation: a name, perhaps with a DNS name and a slash before it. */
export function isQualifiedName(text: string): boolean {
  const slash = text.indexOf('/')
  const name = text.slice(slash + 1)
  return name.length <= 63 && namePart.test(name) && (slash === -1 || isSubdomain(text.slice(0, slash)))
}

/** The key of an entry of a ConfigMap or a Secret. */
export function isDataKey(text: string): boolean {
  return text.length <= 253 && dataKey.test(text) && text !== '.' && text !== '..' && !text.startsWith('..')
}

/** The number of a port. */
export function isPort(value: unknown): boolean {
  return typeof value === 'number' && value >= 1 && value <= 65_535
}

/** The name of a port (RFC 6335, in lower case). */
export function isPortName(text: string): boolean {
  return text.length <= 15 && portName.test(text) && /[a-z]/.test(text)
}

/** An IPv4 address, or what looks like an IPv6 one. */
export function isAddress(text: string): boolean {
  return ipv4.test(text) || (text.includes(':') && /^[0-9a-fA-F:.]+$/.test(text))
}
