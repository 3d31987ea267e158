import { quote } from '../../../gotemplate/format/quote.ts'
import { GoError } from '../../../gotemplate/value.ts'
import { daysFromCivil, daysInMonth, monthNames, weekdayNames } from './calendar.ts'
import { fromLocal, type GoTime } from './go-time.ts'
import { splitLayout } from './time-layout.ts'
import { fixedZone, utc, type Zone } from './time-zone.ts'

/** Go's `time.ParseInLocation`; its error in Go's words. */
export function parseTime(layout: string, text: string, local: Zone): GoTime {
  return new TimeParser(layout, text, local).run()
}

class TimeParser {
  readonly #layout: string
  readonly #text: string
  readonly #local: Zone
  #rest: string
  #year = 0
  #month = -1
  #day = -1
  #yearDay = -1
  #hour = 0
  #minute = 0
  #second = 0
  #nanosecond = 0
  #isAfternoon = false
  #isMorning = false
  #offset: number | undefined
  #zoneName = ''
  #isUtc = false

  constructor(layout: string, text: string, local: Zone) {
    this.#layout = layout
    this.#text = text
    this.#rest = text
    this.#local = local
  }

  run(): GoTime {
    const pieces = splitLayout(this.#layout)
    for (const [at, piece] of pieces.entries()) {
      if (piece.kind === 'literal') this.#literal(piece.text)
      else this.#field(piece.text, pieces[at + 1]?.text ?? '')
    }
    if (this.#rest !== '') throw this.#problem(`: extra text: ${quote(this.#rest)}`)
    return this.#time()
  }

  // A space in the layout stands for any number of them.
  #literal(literal: string): void {
    for (const character of literal) {
      if (character === ' ') {
        if (this.#rest !== '' && !this.#rest.startsWith(' ')) throw this.#cannot(literal)
        this.#rest = this.#rest.replace(/^ +/, '')
      } else if (this.#rest.startsWith(character)) this.#rest = this.#rest.slice(character.length)
      else throw this.#cannot(literal)
    }
  }

  #field(field: string, next: string): void {
    switch (field) {
      case '2006':
        this.#year = this.#digits(/^\d{4}/, field)
        return
      case '06': {
        const year = this.#digits(/^\d\d/, field)
        this.#year = year >= 69 ? year + 1900 : year + 2000
        return
      }
      case 'January':
      case 'Jan':
        this.#month = this.#name(monthNames, field) + 1
        return
      case '1':
      case '01':
        this.#month = this.#inRange(this.#number(field), 1, 12, 'month')
        return
      case 'Monday':
      case 'Mon':
        this.#name(weekdayNames, field)
        return
      case '2':
      case '_2':
      case '02':
        if (field === '_2') this.#rest = this.#rest.replace(/^ /, '')
        this.#day = this.#number(field)
        return
      case '002':
      case '__2':
        if (field === '__2') this.#rest = this.#rest.replace(/^ {0,2}/, '')
        this.#yearDay = this.#digits(field === '002' ? /^\d{3}/ : /^\d{1,3}/, field)
        return
      default:
        this.#clock(field, next)
    }
  }

  #clock(field: string, next: string): void {
    switch (field) {
      case '15':
        this.#hour = this.#inRange(this.#digits(/^\d{1,2}/, field), 0, 23, 'hour')
        return
      case '3':
      case '03':
        this.#hour = this.#inRange(this.#number(field), 0, 12, 'hour')
        return
      case '4':
      case '04':
        this.#minute = this.#inRange(this.#number(field), 0, 59, 'minute')
        return
      case '5':
      case '05':
        this.#second = this.#inRange(this.#number(field), 0, 59, 'second')
        // A fraction may follow the seconds though the layout has none.
        if (!/^[.,][09]/.test(next) && /^[.,]\d/.test(this.#rest)) this.#fraction()
        return
      case 'PM':
      case 'pm': {
        const word = this.#rest.slice(0, 2)
        if (word !== (field === 'PM' ? 'PM' : 'pm') && word !== (field === 'PM' ? 'AM' : 'am'))
          throw this.#cannot(field)
        this.#isAfternoon = /p/i.test(word)
        this.#isMorning = !this.#isAfternoon
        this.#rest = this.#rest.slice(2)
        return
      }
      case 'MST':
        this.#zone(field)
        return
      default:
        if (/^[.,]/.test(field)) this.#layoutFraction(field)
        else this.#readOffset(field)
    }
  }

  #layoutFraction(field: string): void {
    if (field[1] === '0') {
      const digits = new RegExp(`^[.,]\\d{${field.length - 1}}`).exec(this.#rest)
      if (digits === null) throw this.#cannot(field)
      this.#nanosecond = Number(digits[0].slice(1).padEnd(9, '0').slice(0, 9))
      this.#rest = this.#rest.slice(digits[0].length)
    } else if (/^[.,]\d/.test(this.#rest)) this.#fraction()
  }

  #fraction(): void {
    const digits = /^[.,](\d+)/.exec(this.#rest)!
    this.#nanosecond = Number(digits[1]!.padEnd(9, '0').slice(0, 9))
    this.#rest = this.#rest.slice(digits[0].length)
  }

  #zone(field: string): void {
    if (this.#rest.startsWith('UTC')) {
      this.#isUtc = true
      this.#rest = this.#rest.slice(3)
      return
    }
    const name = /^(?:GMT[+-]\d{1,2}|[+-]\d\d(?:\d\d)?|[A-Z]{3,5})/.exec(this.#rest)?.[0]
    if (name === undefined) throw this.#cannot(field)
    this.#zoneName = name
    this.#rest = this.#rest.slice(name.length)
  }

  #readOffset(field: string): void {
    if (field.startsWith('Z') && this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1)
      this.#isUtc = true
      return
    }
    const shape = field.replace(/^[Z-]/, '').replaceAll(/\d\d/g, '(\\d\\d)')
    const found = new RegExp(`^([+-])${shape}`).exec(this.#rest)
    if (found === null) throw this.#cannot(field)
    const [, sign, hours, minutes = '0', seconds = '0'] = found
    const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
    if (Number(hours) > 24) throw this.#problem(': time zone offset hour out of range')
    if (Number(minutes) > 60) throw this.#problem(': time zone offset minute out of range')
    this.#offset = sign === '-' ? -size : size
    this.#rest = this.#rest.slice(found[0].length)
  }

  #number(field: string): number {
    return this.#digits(field.startsWith('0') ? /^\d\d/ : /^\d{1,2}/, field)
  }

  #digits(pattern: RegExp, field: string): number {
    const digits = pattern.exec(this.#rest)?.[0]
    if (digits === undefined) throw this.#cannot(field)
    this.#rest = this.#rest.slice(digits.length)
    return Number(digits)
  }

  #name(names: readonly string[], field: string): number {
    const isShort = field.length === 3
    const at = names.findIndex((name) => {
      const wanted = isShort ? name.slice(0, 3) : name
      return this.#rest.slice(0, wanted.length).toLowerCase() === wanted.toLowerCase()
    })
    if (at < 0) throw this.#cannot(field)
    this.#rest = this.#rest.slice(isShort ? 3 : names[at]!.length)
    return at
  }

  #inRange(value: number, least: number, most: number, name: string): number {
    if (value < least || value > most) throw this.#problem(`: ${name} out of range`)
    return value
  }

  #time(): GoTime {
    if (this.#isAfternoon && this.#hour < 12) this.#hour += 12
    else if (this.#isMorning && this.#hour === 12) this.#hour = 0
    const days = this.#days()
    const seconds = BigInt(days) * 86_400n + BigInt(this.#hour * 3600 + this.#minute * 60 + this.#second)
    if (this.#isUtc) return fromLocal(seconds, this.#nanosecond, utc)
    if (this.#offset !== undefined) return this.#atOffset(seconds, this.#offset)
    if (this.#zoneName === '') return fromLocal(seconds, this.#nanosecond, this.#local)
    const time = fromLocal(seconds, this.#nanosecond, this.#local)
    if (this.#local.abbreviation?.(time.unix) === this.#zoneName) return time
    const hours = /^GMT([+-]\d+)$/.exec(this.#zoneName)
    return fromLocal(seconds, this.#nanosecond, fixedZone(this.#zoneName, hours === null ? 0 : Number(hours[1]) * 3600))
  }

  // Where the local zone has the same offset at that time, Go shows the time in the local zone.
  #atOffset(seconds: bigint, offset: number): GoTime {
    const time = fromLocal(seconds, this.#nanosecond, fixedZone(this.#zoneName, offset))
    return this.#local.offset(time.unix) === offset && this.#zoneName === '' ? time.in(this.#local) : time
  }

  #days(): number {
    if (this.#yearDay >= 0) {
      const length = daysInMonth(this.#year, 2) + 337
      if (this.#yearDay < 1 || this.#yearDay > length) throw this.#problem(': day-of-year out of range')
      return daysFromCivil(this.#year, 1, 1) + this.#yearDay - 1
    }
    const month = this.#month < 0 ? 1 : this.#month
    const day = this.#day < 0 ? 1 : this.#day
    if (day < 1 || day > daysInMonth(this.#year, month)) throw this.#problem(': day out of range')
    return daysFromCivil(this.#year, month, day)
  }

  #cannot(element: string): GoError {
    return new GoError(
      `parsing time ${quote(this.#text)} as ${quote(this.#layout)}: cannot parse ${quote(this.#rest)} as ${quote(element)}`,
    )
  }

  #problem(sentence: string): GoError {
    return new GoError(`parsing time ${quote(this.#text)}${sentence}`)
  }
}
