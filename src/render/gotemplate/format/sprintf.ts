import { GoInt, GoObject, type GoValue } from '../value.ts'
import { rejoin } from './bytes.ts'
import { noFlags } from './flags.ts'
import { Printer } from './printer.ts'

const largest = 1_000_000

/** Go's `fmt.Sprintf`. */
export function sprintf(format: string, args: readonly GoValue[]): string {
  return rejoin(new Formatter(format, args).run())
}

/** Go's `fmt.Sprint`: a space between two arguments of which neither is text. */
export function formatPrint(args: readonly GoValue[]): string {
  const printer = new Printer()
  let wasText = true
  args.forEach((arg, index) => {
    const isText = isTextKind(arg)
    if (index > 0 && !isText && !wasText) printer.write(' ')
    printer.print(arg, 'v')
    wasText = isText
  })
  return rejoin(printer.text())
}

/** Go's `fmt.Sprintln`. */
export function formatPrintln(args: readonly GoValue[]): string {
  const printer = new Printer()
  args.forEach((arg, index) => {
    if (index > 0) printer.write(' ')
    printer.print(arg, 'v')
  })
  printer.write('\n')
  return rejoin(printer.text())
}

/** What `{{ value }}` prints; a value that is not there is `<no value>`. */
export function goString(value: GoValue): string {
  if (typeof value === 'string') return value
  if (value === undefined) return '<no value>'
  if (value instanceof GoInt) return value.value.toString()
  const printer = new Printer()
  printer.isIndirect = true
  printer.print(value, 'v')
  return rejoin(printer.text())
}

function isTextKind(value: GoValue): boolean {
  if (typeof value === 'string') return true
  return value instanceof GoObject && typeof value.underlying() === 'string'
}

class Formatter {
  readonly #format: string
  readonly #args: readonly GoValue[]
  readonly #printer = new Printer()
  #at = 0
  #arg = 0
  #isReordered = false
  #isGoodIndex = true
  #afterIndex = false

  constructor(format: string, args: readonly GoValue[]) {
    this.#format = format
    this.#args = args
  }

  run(): string {
    const end = this.#format.length
    while (this.#at < end) {
      const next = this.#format.indexOf('%', this.#at)
      const stop = next < 0 ? end : next
      if (stop > this.#at) this.#printer.write(this.#format.slice(this.#at, stop))
      this.#at = stop + 1
      if (stop < end && !this.#verb()) break
    }
    this.#extra()
    return this.#printer.text()
  }

  // False ends the format: there is no verb after the percent sign.
  #verb(): boolean {
    this.#isGoodIndex = true
    this.#afterIndex = false
    this.#printer.flags = noFlags()
    this.#flags()
    this.#argumentIndex()
    this.#width()
    this.#precision()
    if (!this.#afterIndex) this.#argumentIndex()
    const point = this.#format.codePointAt(this.#at)
    if (point === undefined) {
      this.#printer.write('%!(NOVERB)')
      return false
    }
    const char = String.fromCodePoint(point)
    this.#at += char.length
    this.#printVerb(point >= 0xdc80 && point <= 0xdcff ? '\uFFFD' : char)
    return true
  }

  #printVerb(verb: string): void {
    const { flags } = this.#printer
    if (verb === '%') return this.#printer.write('%')
    if (!this.#isGoodIndex) return this.#printer.write(`%!${verb}(BADINDEX)`)
    if (this.#arg >= this.#args.length) return this.#printer.write(`%!${verb}(MISSING)`)
    if (verb === 'v' || verb === 'w') {
      flags.sharpV = flags.sharp
      flags.sharp = false
      flags.plusV = flags.plus
      flags.plus = false
    }
    this.#printer.print(this.#args[this.#arg], verb)
    this.#arg++
  }

  #flags(): void {
    const { flags } = this.#printer
    for (; ; this.#at++) {
      switch (this.#format[this.#at]) {
        case '#':
          flags.sharp = true
          break
        case '0':
          flags.zero = true
          break
        case '+':
          flags.plus = true
          break
        case '-':
          flags.minus = true
          break
        case ' ':
          flags.space = true
          break
        default:
          return
      }
    }
  }

  #width(): void {
    const { flags } = this.#printer
    if (this.#format[this.#at] !== '*') {
      flags.width = this.#number(this.#format.length)
      if (this.#afterIndex && flags.width !== undefined) this.#isGoodIndex = false
      return
    }
    this.#at++
    flags.width = this.#integerArgument()
    if (flags.width === undefined) this.#printer.write('%!(BADWIDTH)')
    else if (flags.width < 0) {
      flags.width = -flags.width
      flags.minus = true
      flags.zero = false
    }
    this.#afterIndex = false
  }

  #precision(): void {
    const { flags } = this.#printer
    if (this.#format[this.#at] !== '.' || this.#at + 1 >= this.#format.length) return
    this.#at++
    if (this.#afterIndex) this.#isGoodIndex = false
    this.#argumentIndex()
    if (this.#format[this.#at] !== '*') {
      flags.precision = this.#number(this.#format.length) ?? 0
      return
    }
    this.#at++
    const given = this.#integerArgument()
    flags.precision = given !== undefined && given >= 0 ? given : undefined
    if (flags.precision === undefined) this.#printer.write('%!(BADPREC)')
    this.#afterIndex = false
  }

  // `[3]`: the argument that the next verb, or star, takes.
  #argumentIndex(): void {
    this.#afterIndex = false
    if (this.#format[this.#at] !== '[') return
    this.#isReordered = true
    const close = this.#format.indexOf(']', this.#at + 1)
    if (close < 0 || this.#format.length - this.#at < 3) {
      this.#isGoodIndex = false
      this.#at++
      return
    }
    this.#at++
    const number = this.#number(close)
    const isNumber = number !== undefined && this.#at === close
    this.#at = close + 1
    if (isNumber && number >= 1 && number <= this.#args.length) this.#arg = number - 1
    else this.#isGoodIndex = false
    this.#afterIndex = isNumber
  }

  #number(end: number): number | undefined {
    let value: number | undefined
    while (this.#at < end) {
      const digit = this.#format.charCodeAt(this.#at) - 48
      if (!(digit >= 0 && digit <= 9)) break
      if ((value ?? 0) > largest) {
        this.#at = end
        return undefined
      }
      value = (value ?? 0) * 10 + digit
      this.#at++
    }
    return value
  }

  #integerArgument(): number | undefined {
    if (this.#arg >= this.#args.length) return undefined
    const arg = this.#args[this.#arg]
    this.#arg++
    const value = arg instanceof GoInt ? Number(arg.value) : undefined
    return value !== undefined && Math.abs(value) <= largest ? value : undefined
  }

  #extra(): void {
    if (this.#isReordered || this.#arg >= this.#args.length) return
    this.#printer.flags = noFlags()
    this.#printer.write('%!(EXTRA ')
    this.#args.slice(this.#arg).forEach((arg, index) => {
      if (index > 0) this.#printer.write(', ')
      if (arg !== null && arg !== undefined) {
        this.#printer.print(arg, 'T')
        this.#printer.write('=')
      }
      this.#printer.print(arg, 'v')
    })
    this.#printer.write(')')
  }
}
