/** A zone: its offset from UTC and the letters for it at a moment. */
export interface Zone {
  readonly name: string
  /** Seconds east of UTC, at seconds since 1970. */
  offset(unix: bigint): number
  /** Letters such as CET; the offset in digits where there are none. */
  abbreviation?(unix: bigint): string
}

/** Universal time. */
export const utc: Zone = { name: 'UTC', offset: () => 0, abbreviation: () => 'UTC' }

/** A zone by its IANA name; undefined for one that is not known. */
export function findZone(name: string): Zone | undefined {
  if (name === '' || name === 'UTC') return utc
  // Names come from templates: only what the zone database could hold reaches the formatter.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name) || /^[+-]/.test(name)) return undefined
  try {
    const formatter = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
    return {
      name,
      offset: (unix) => readOffset(formatter, unix),
      abbreviation: (unix) => letters(name, unix) || digits(readOffset(formatter, unix)),
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** A zone with one offset. */
export function fixedZone(name: string, seconds: number): Zone {
  return { name, offset: () => seconds, abbreviation: () => name }
}

const longest = 8_640_000_000_000n

function readOffset(formatter: Intl.DateTimeFormat, unix: bigint): number {
  const within = unix > longest ? longest : unix < -longest ? -longest : unix
  const text = namedPart(formatter, Number(within) * 1000)
  const parts = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?/.exec(text)
  if (parts?.[1] === undefined) return 0
  const seconds = Number(parts[2]) * 3600 + Number(parts[3]) * 60 + Number(parts[4] ?? 0)
  return parts[1] === '-' ? -seconds : seconds
}

// A locale knows the letters of the zones that its people use.
const locales = ['en-US', 'en-GB', 'en-CA', 'en-AU', 'en-NZ', 'en-IN', 'en-ZA']
const others: Readonly<Record<string, string>> = {
  'Asia/Tokyo': 'JST',
  'Asia/Seoul': 'KST',
  'Asia/Shanghai': 'CST',
  'Asia/Taipei': 'CST',
  'Asia/Hong_Kong': 'HKT',
  'Asia/Manila': 'PST',
  'Asia/Karachi': 'PKT',
  'Asia/Jakarta': 'WIB',
  'Europe/Moscow': 'MSK',
  'Africa/Lagos': 'WAT',
  'Africa/Nairobi': 'EAT',
}

function letters(name: string, unix: bigint): string {
  const known = others[name]
  if (known !== undefined) return known
  for (const locale of locales) {
    const text = namedPart(
      new Intl.DateTimeFormat(locale, { timeZone: name, timeZoneName: 'short' }),
      Number(unix) * 1000,
    )
    if (/^[A-Z]{2,5}$/.test(text)) return text
  }
  return ''
}

function namedPart(formatter: Intl.DateTimeFormat, milliseconds: number): string {
  return formatter.formatToParts(milliseconds).find((part) => part.type === 'timeZoneName')?.value ?? ''
}

// The zone database has +03 for a zone that never had letters.
function digits(offset: number): string {
  const minutes = Math.floor(Math.abs(offset) / 60)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'))
  return `${offset < 0 ? '-' : '+'}${hours}${rest === '00' ? '' : rest}`
}
