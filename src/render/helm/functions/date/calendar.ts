/** Names of the months. */
export const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** Names of the days, from Sunday on. */
export const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

const daysInEra = 146_097

/** Days from 1970-01-01 to a date of the Gregorian calendar; a month past twelve is one of the next year. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const realYear = year + Math.floor((month - 1) / 12)
  const realMonth = ((((month - 1) % 12) + 12) % 12) + 1
  const shifted = realMonth <= 2 ? realYear - 1 : realYear
  const era = Math.floor(shifted / 400)
  const inEra = shifted - era * 400
  const inYear = Math.floor((153 * (realMonth + (realMonth > 2 ? -3 : 9)) + 2) / 5) + day - 1
  return era * daysInEra + inEra * 365 + Math.floor(inEra / 4) - Math.floor(inEra / 100) + inYear - 719_468
}

/** The date that is some days after 1970-01-01. */
export function civilDate(days: number): {
  year: number
  month: number
  day: number
  yearDay: number
  weekday: number
} {
  const shifted = days + 719_468
  const era = Math.floor(shifted / daysInEra)
  const inEra = shifted - era * daysInEra
  const years = Math.floor(
    (inEra - Math.floor(inEra / 1460) + Math.floor(inEra / 36_524) - Math.floor(inEra / 146_096)) / 365,
  )
  const inYear = inEra - (365 * years + Math.floor(years / 4) - Math.floor(years / 100))
  const shiftedMonth = Math.floor((5 * inYear + 2) / 153)
  const day = inYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  const year = years + era * 400 + (month <= 2 ? 1 : 0)
  return { year, month, day, yearDay: days - daysFromCivil(year, 1, 1) + 1, weekday: (((days + 4) % 7) + 7) % 7 }
}

/** How many days a month has. */
export function daysInMonth(year: number, month: number): number {
  return daysFromCivil(year, month + 1, 1) - daysFromCivil(year, month, 1)
}
