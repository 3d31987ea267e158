import { isRecord } from '../../../core/index.ts'
import { formatFloatShort } from './format-float.ts'

/** What a field holds instead of what Go's struct wants; `read` functions throw it and the file's reader names the file. */
export class FieldMismatch extends Error {
  override readonly name = 'FieldMismatch'
}

/** A list that holds null where it must not. */
export class NullNode extends FieldMismatch {}

/**
 * Reads fields the way sigs.k8s.io/yaml fills a Go struct: names match without regard to case where there is no exact one, a
 * number or a boolean becomes text where text is wanted, null leaves the field empty, anything else is refused.
 */
export class FieldReader {
  readonly #record: Record<string, unknown>
  readonly #type: string
  readonly #floats: ReadonlySet<number>

  /** `floats` are the whole numbers that were written as floats. */
  constructor(value: unknown, type: string, goType = type, floats: ReadonlySet<number> = new Set()) {
    if (value !== null && value !== undefined && !isRecord(value)) {
      throw new FieldMismatch(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${goType}`)
    }
    this.#record = value ?? {}
    this.#type = type
    this.#floats = floats
  }

  text(name: string): string {
    return this.#asText(this.#get(name), name)
  }

  flag(name: string): boolean {
    const value = this.#get(name)
    if (value === undefined || value === null) return false
    if (typeof value !== 'boolean') throw this.#mismatch(value, name, 'bool')
    return value
  }

  texts(name: string): string[] {
    return this.list(name, '[]string').map((item) => this.#asText(item, name))
  }

  list(name: string, goType = '[]interface {}'): unknown[] {
    const value = this.#get(name)
    if (value === undefined || value === null) return []
    if (!Array.isArray(value)) throw this.#mismatch(value, name, goType)
    return value
  }

  textMap(name: string): Record<string, string> | undefined {
    const value = this.#get(name)
    if (value === undefined || value === null) return undefined
    if (!isRecord(value)) throw this.#mismatch(value, name, 'map[string]string')
    const map = Object.create(null) as Record<string, string>
    for (const [key, item] of Object.entries(value)) map[key] = this.#asText(item, name)
    return map
  }

  raw(name: string): unknown {
    return this.#get(name)
  }

  #get(name: string): unknown {
    if (Object.hasOwn(this.#record, name)) return this.#record[name]
    const lower = name.toLowerCase()
    const key = Object.keys(this.#record).find((candidate) => candidate.toLowerCase() === lower)
    return key === undefined ? undefined : this.#record[key]
  }

  #asText(value: unknown, name: string): string {
    switch (typeof value) {
      case 'string':
        return value
      case 'boolean':
      case 'bigint':
        return String(value)
      case 'number':
        return Number.isSafeInteger(value) && !this.#floats.has(value) ? String(value) : formatFloatShort(value)
      case 'undefined':
        return ''
      default:
        if (value === null) return ''
        throw this.#mismatch(value, name, 'string')
    }
  }

  #mismatch(value: unknown, name: string, wanted: string): FieldMismatch {
    const field = `${this.#type}.${name}`
    return new FieldMismatch(
      `json: cannot unmarshal ${jsonKind(value)} into Go struct field ${field} of type ${wanted}`,
    )
  }
}

function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'object') return 'object'
  return typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'number'
}
