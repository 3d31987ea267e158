import { isRecord } from '../../core/index.ts'
import {
  GoFunction,
  GoInt,
  type GoMap,
  GoObject,
  goString,
  type GoValue,
  isGoMap,
} from '../../render/gotemplate/index.ts'
import type { InputValue } from './input-value.ts'

/** The cause of an error where a template names an input that the component does not declare. */
export class UndeclaredInput extends Error {
  readonly input: string
  constructor(input: string) {
    super('it is not declared')
    this.input = input
  }
}

/** What `.inputs` is to a template. */
export class Inputs extends GoObject {
  readonly typeName = 'map[string]interface {}'
  readonly #values: GoMap
  constructor(values: Readonly<Record<string, InputValue>>) {
    super()
    this.#values = toGo(values) as GoMap
  }
  member(name: string): GoValue {
    if (Object.hasOwn(this.#values, name)) return this.#values[name]
    return new GoFunction(name, [], () => {
      throw new UndeclaredInput(name)
    })
  }
  override underlying(): GoValue {
    return this.#values
  }
}

/** A text that its author asked to stand in the manifest as it is. */
export class RawText extends GoObject {
  readonly typeName = 'string'
  readonly #text: string
  constructor(text: string) {
    super()
    this.#text = text
  }
  member(): GoValue {
    return undefined
  }
  override text(): string {
    return this.#text
  }
}

/** `raw`: prints a value as it is, also where that is more than a value. */
export const raw = new GoFunction('raw', ['any'], ([value]) => new RawText(goString(value)))

function toGo(value: unknown): GoValue {
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))) return new GoInt(value)
  if (Array.isArray(value)) return value.map(toGo)
  if (!isRecord(value)) return value as GoValue
  const entries = Object.entries(value).map(([key, item]) => [key, toGo(item)] as const)
  return Object.assign(Object.create(null) as GoMap, Object.fromEntries(entries))
}

/** What a template computed, as JSON has it. */
export function fromGo(value: GoValue): unknown {
  if (value instanceof GoInt) return Number.isSafeInteger(Number(value.value)) ? Number(value.value) : value.value
  if (value instanceof GoObject) return value.underlying() === undefined ? goString(value) : fromGo(value.underlying())
  if (Array.isArray(value)) return value.map(fromGo)
  if (isGoMap(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fromGo(item)]))
  return typeof value === 'object' || value === undefined ? null : value
}
