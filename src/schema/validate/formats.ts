import { isIPv4, isIPv6 } from 'node:net'

/**
 * Whether a text has a format that the API server checks in custom resources; formats that it does not know, or that are not
 * listed here, fit everything.
 */
export function fitsFormat(text: string, format: string): boolean {
  // The API server spells formats without dashes too.
  return checks[format.replaceAll('-', '')]?.(text) ?? true
}

const date = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
const time = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

const checks: Readonly<Record<string, (text: string) => boolean>> = {
  date: (text) => date.test(text),
  datetime: (text) => {
    const [day = '', ...rest] = text.split(/t/i)
    return date.test(day) && time.test(rest.join('t'))
  },
  ipv4: (text) => isIPv4(text),
  ipv6: (text) => isIPv6(text),
  cidr: (text) => {
    const [address = '', bits = '', ...more] = text.split('/')
    const most = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1
    return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most
  },
  mac: (text) => /^[0-9a-f]{2}([:-][0-9a-f]{2}){5}$/i.test(text),
  uuid: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
}
