import { GoError, GoFunction, GoInt, type GoList, type GoMap, GoObject, type GoValue } from '../value.ts'
import { elementType, isGoMap, typeName } from '../type-name.ts'
import { compareText, fromBytes } from './bytes.ts'
import { type Flags, noFlags, pad } from './flags.ts'
import { tooLong } from './too-long.ts'
import { based, formatFloatVerb, formatInteger, formatText } from './verbs.ts'

/** Writes values as Go's fmt package does; one is used for one format string or one print. */
export class Printer {
  flags: Flags = noFlags()
  /** Whether a struct behind a pointer is shown as the struct, as templates do. */
  isIndirect = false
  readonly #parts: string[] = []
  #length = 0
  // While a wrong verb is reported, Go does not ask for an error's text.
  #isErroring = false

  /** What was written so far. */
  text(): string {
    return this.#parts.join('')
  }

  write(text: string): void {
    this.#parts.push(text)
    this.#length += text.length
    if (this.#length > tooLong.limit) tooLong.fail()
  }

  /** One argument by one verb. */
  print(value: GoValue, verb: string): void {
    if (value === null || value === undefined) {
      if (verb === 'T' || verb === 'v') this.write(pad('<nil>', this.flags))
      else this.#badVerb(value, verb)
    } else if (verb === 'T') this.#text(typeName(value), 's', value)
    else if (verb === 'w' && isContainer(value)) this.#badVerb(value, verb)
    else if (verb === 'p') this.#pointer(value, verb)
    else this.#value(value, verb, 0)
  }

  #value(value: GoValue, verb: string, depth: number): void {
    switch (typeof value) {
      case 'boolean':
        return this.#boolean(value, verb, value)
      case 'string':
        return this.#text(value, verb, value)
      case 'number':
        return this.#float(value, verb, value)
      case 'object':
        return value === null ? this.#nil('interface {}') : this.#object(value, verb, depth)
      default:
        return this.#nil('interface {}')
    }
  }

  #object(value: GoInt | GoMap | GoList | GoObject | GoFunction | GoError, verb: string, depth: number): void {
    if (value instanceof GoInt) return this.#integer(value, verb, value)
    if (value instanceof GoFunction) return this.#pointer(value, verb)
    if (value instanceof GoError || value instanceof GoObject) return this.#withMethods(value, verb, depth)
    if (Array.isArray(value)) return this.#list(value, verb, depth, typeName(value))
    this.#map(value, verb, depth, typeName(value))
  }

  #withMethods(value: GoObject | GoError, verb: string, depth: number): void {
    const text = value instanceof GoError ? value.message : value.text()
    if (!this.#isErroring) {
      if (verb === 'w') return this.#badVerb(value, verb)
      if (text !== undefined && !this.flags.sharpV && 'vsxXq'.includes(verb)) return this.#text(text, verb, value)
    }
    if (value instanceof GoError) return this.#struct('&', '*errors.errorString', [['s', value.message]], verb, depth)
    const underlying = value.underlying()
    if (underlying === undefined || value.typeName.startsWith('*')) {
      return this.#struct(value.typeName.startsWith('*') ? '&' : '', value.typeName, value.fields(), verb, depth)
    }
    if (Array.isArray(underlying)) return this.#list(underlying, verb, depth, value.typeName)
    if (typeof underlying === 'object' && underlying !== null && !(underlying instanceof GoInt)) {
      return this.#map(underlying as GoMap, verb, depth, value.typeName)
    }
    this.#basic(underlying, verb, value)
  }

  // A basic value under a name: wrong verbs show the name.
  #basic(value: GoValue, verb: string, shown: GoValue): void {
    if (typeof value === 'string') this.#text(value, verb, shown)
    else if (typeof value === 'number') this.#float(value, verb, shown)
    else if (value instanceof GoInt) this.#integer(value, verb, shown)
    else if (typeof value === 'boolean') this.#boolean(value, verb, shown)
  }

  #struct(
    pointer: string,
    name: string,
    fields: readonly (readonly [string, GoValue])[],
    verb: string,
    depth: number,
  ): void {
    if (pointer !== '' && depth > 0) return this.write('0xc000000000')
    const type = pointer === '' ? name : name.slice(1)
    this.write(`${this.isIndirect ? '' : pointer}${this.flags.sharpV ? type : ''}{`)
    fields.forEach(([field, value], index) => {
      if (index > 0) this.write(this.flags.sharpV ? ', ' : ' ')
      if (this.flags.plusV || this.flags.sharpV) this.write(`${field}:`)
      this.#value(value, verb, depth + 1)
    })
    this.write('}')
  }

  #map(map: GoMap, verb: string, depth: number, type: string): void {
    this.write(this.flags.sharpV ? `${type}{` : 'map[')
    sortedKeys(map).forEach((key, index) => {
      if (index > 0) this.write(this.flags.sharpV ? ', ' : ' ')
      this.#text(key, verb, key)
      this.write(':')
      this.#value(map[key], verb, depth + 1)
    })
    this.write(this.flags.sharpV ? '}' : ']')
  }

  #list(list: GoList, verb: string, depth: number, type: string): void {
    if (elementType(list) === 'uint8' && this.#byteList(list, verb)) return
    // Only bytes on their own go by their other name.
    const name = depth === 0 && type === '[]uint8' ? '[]byte' : type
    this.write(this.flags.sharpV ? `${name}{` : '[')
    list.forEach((value, index) => {
      if (index > 0) this.write(this.flags.sharpV ? ', ' : ' ')
      this.#value(value, verb, depth + 1)
    })
    this.write(this.flags.sharpV ? '}' : ']')
  }

  #byteList(list: GoList, verb: string): boolean {
    if (!'sqxX'.includes(verb)) return false
    const bytes = Uint8Array.from(list, (byte) => (byte instanceof GoInt ? Number(byte.value) : 0))
    this.#text(fromBytes(bytes), verb, list)
    return true
  }

  // A nil inside of something prints as such under every verb.
  #nil(type: string): void {
    this.write(this.flags.sharpV ? `${type}(nil)` : '<nil>')
  }

  #badVerb(value: GoValue, verb: string): void {
    const wasErroring = this.#isErroring
    this.#isErroring = true
    if (value === null || value === undefined) this.write(`%!${verb}(<nil>)`)
    else {
      this.write(`%!${verb}(${typeName(value)}=`)
      this.#value(value, 'v', 0)
      this.write(')')
    }
    this.#isErroring = wasErroring
  }

  #boolean(value: boolean, verb: string, shown: GoValue): void {
    this.#writeOr(verb === 't' || verb === 'v' ? pad(String(value), this.flags) : undefined, verb, shown)
  }

  #text(text: string, verb: string, shown: GoValue): void {
    this.#writeOr(formatText(text, verb, this.flags), verb, shown)
  }

  #integer({ value, kind }: GoInt, verb: string, shown: GoValue): void {
    this.#writeOr(formatInteger(value, !kind.startsWith('u'), verb, this.flags), verb, shown)
  }

  #float(value: number, verb: string, shown: GoValue): void {
    this.#writeOr(formatFloatVerb(value, verb, this.flags), verb, shown)
  }

  #writeOr(text: string | undefined, verb: string, shown: GoValue): void {
    if (text === undefined) this.#badVerb(shown, verb)
    else this.write(text)
  }

  #pointer(value: GoValue, verb: string): void {
    const isPointer =
      value instanceof GoFunction ||
      value instanceof GoError ||
      (value instanceof GoObject
        ? value.typeName.startsWith('*')
        : typeof value === 'object' && !(value instanceof GoInt))
    if (!isPointer) return this.#badVerb(value, verb)
    // No two runs of a Go program agree on addresses; one stands for all.
    const address = 0xc000000000n
    if (verb === 'v' && this.flags.sharpV) return this.write(`(${typeName(value)})(0x${address.toString(16)})`)
    if (verb === 'v' || verb === 'p') {
      this.write(based(address, 16, 'x', this.flags, !this.flags.sharp))
    } else if ('bodxX'.includes(verb)) this.#integer(new GoInt(address, 'uint64'), verb, value)
    else this.write(`%!${verb}(${typeName(value)}=0x${address.toString(16)})`)
  }
}

/** Keys of a map in Go's order. */
export function sortedKeys(map: GoMap): string[] {
  return Object.keys(map).sort(compareText)
}

function isContainer(value: GoValue): boolean {
  return Array.isArray(value) ? elementType(value) !== 'uint8' : isGoMap(value)
}
