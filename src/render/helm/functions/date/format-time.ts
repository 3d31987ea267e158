import { monthNames, weekdayNames } from './calendar.ts'
import type { GoTime, TimeParts } from './go-time.ts'
import { splitLayout } from './time-layout.ts'

/** Go's `Time.Format`. */
export function formatTime(time: GoTime, layout: string): string {
  const parts = time.parts
  return splitLayout(layout)
    .map((piece) => (piece.kind === 'literal' ? piece.text : formatField(piece.text, parts, time)))
    .join('')
}

function formatField(field: string, parts: TimeParts, time: GoTime): string {
  const simple = fields[field]
  if (simple !== undefined) return simple(parts)
  if (field === 'MST') return time.zone.abbreviation?.(time.unix) || formatOffset('-0700', parts.offset)
  if (field.startsWith('.') || field.startsWith(',')) return fraction(field, parts.nanosecond)
  return formatOffset(field, parts.offset)
}

const two = (value: number) => String(value).padStart(2, '0')
const hour12 = (parts: TimeParts) => parts.hour % 12 || 12

const fields: Readonly<Record<string, (parts: TimeParts) => string>> = {
  January: (parts) => monthNames[parts.month - 1]!,
  Jan: (parts) => monthNames[parts.month - 1]!.slice(0, 3),
  '1': (parts) => String(parts.month),
  '01': (parts) => two(parts.month),
  Monday: (parts) => weekdayNames[parts.weekday]!,
  Mon: (parts) => weekdayNames[parts.weekday]!.slice(0, 3),
  '2': (parts) => String(parts.day),
  _2: (parts) => String(parts.day).padStart(2, ' '),
  '02': (parts) => two(parts.day),
  __2: (parts) => String(parts.yearDay).padStart(3, ' '),
  '002': (parts) => String(parts.yearDay).padStart(3, '0'),
  '15': (parts) => two(parts.hour),
  '3': (parts) => String(hour12(parts)),
  '03': (parts) => two(hour12(parts)),
  '4': (parts) => String(parts.minute),
  '04': (parts) => two(parts.minute),
  '5': (parts) => String(parts.second),
  '05': (parts) => two(parts.second),
  '2006': (parts) =>
    parts.year < 0 ? `-${String(-parts.year).padStart(4, '0')}` : String(parts.year).padStart(4, '0'),
  '06': (parts) => two(((parts.year % 100) + 100) % 100),
  PM: (parts) => (parts.hour >= 12 ? 'PM' : 'AM'),
  pm: (parts) => (parts.hour >= 12 ? 'pm' : 'am'),
}

// Zeros are written in full, nines without those at the end.
function fraction(field: string, nanosecond: number): string {
  const digits = String(nanosecond)
    .padStart(9, '0')
    .slice(0, field.length - 1)
    .padEnd(field.length - 1, '0')
  if (field[1] === '0') return `${field[0]}${digits}`
  const trimmed = digits.replace(/0+$/, '')
  return trimmed === '' ? '' : `${field[0]}${trimmed}`
}

function formatOffset(field: string, offset: number): string {
  if (field.startsWith('Z') && offset === 0) return 'Z'
  const size = Math.abs(offset)
  const colon = field.includes(':') ? ':' : ''
  const digits = field.replaceAll(/[^0]|07/g, '').length
  const hours = `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 3600))}`
  if (digits === 0) return hours
  const minutes = `${hours}${colon}${two(Math.floor(size / 60) % 60)}`
  return digits > 2 ? `${minutes}${colon}${two(size % 60)}` : minutes
}
