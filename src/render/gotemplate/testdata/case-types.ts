import { GoError, GoFunction, type GoMap, GoObject, type GoValue } from '../value.ts'

/** The struct of the Go program, with fields and methods. */
export class Thing extends GoObject {
  readonly typeName: string
  readonly #fields: GoMap

  constructor(typeName: string, fields: GoMap) {
    super()
    this.typeName = typeName
    this.#fields = fields
  }

  member(name: string): GoValue {
    const own = this.#fields['Name'] as string
    switch (name) {
      case 'Hello':
        return new GoFunction(name, [], () => `hello ${own}`)
      case 'Greet':
        return new GoFunction(name, ['string'], ([who]) => `${own} greets ${who as string}`)
      case 'Join':
        return new GoFunction(name, ['string'], (parts) => `${own}:${(parts as string[]).join(',')}`, true)
      case 'Fail':
        return new GoFunction(name, [], () => new GoError('thing failed'))
      default:
        return this.fields().find(([field]) => field === name)?.[1]
    }
  }

  override fields(): readonly (readonly [string, GoValue])[] {
    const { Name, Count, Any = null, Inner = Object.create(null) as GoMap } = this.#fields
    return [
      ['Name', Name],
      ['Count', Count],
      ['Any', Any],
      ['Inner', Inner],
    ]
  }
}

/** A struct that prints itself. */
export class Version extends GoObject {
  readonly typeName = 'main.Version'
  readonly #text: string

  constructor(text: string) {
    super()
    this.#text = text
  }

  member(name: string): GoValue {
    return name === 'Text' ? this.#text : undefined
  }

  override text(): string {
    return `v${this.#text}`
  }

  override fields(): readonly (readonly [string, GoValue])[] {
    return [['Text', this.#text]]
  }
}

/** A named text. */
export class Label extends GoObject {
  readonly typeName = 'main.Label'
  readonly #text: string

  constructor(text: string) {
    super()
    this.#text = text
  }

  member(): GoValue {
    return undefined
  }

  override underlying(): GoValue {
    return this.#text
  }
}

/** A named map with a method. */
export class Values extends GoObject {
  readonly typeName = 'main.Values'
  readonly #map: GoMap

  constructor(map: GoMap) {
    super()
    this.#map = map
  }

  member(name: string): GoValue {
    return name === 'AsMap' ? new GoFunction(name, [], () => this.#map) : undefined
  }

  override underlying(): GoValue {
    return this.#map
  }
}
