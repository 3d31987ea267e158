import { isRecord, LadingError } from '../../core/index.ts'

/** Where a kubeconfig came from, and with that what it may do. */
export interface KubeconfigSource {
  /** The file, or a word for text that was handed in; errors name it. */
  readonly name: string
  /** The file's directory, which relative paths start from. Absent for text from somebody else: it may name no files. */
  readonly directory?: string
}

/** Reads one map of a kubeconfig; every complaint names the file and the field. */
export class Fields {
  readonly source: KubeconfigSource
  readonly path: string
  readonly #value: Record<string, unknown>

  constructor(source: KubeconfigSource, path: string, value: unknown) {
    this.source = source
    this.path = path
    if (!isRecord(value)) throw this.invalid('', 'must be a map')
    this.#value = value
  }

  /** A string; empty counts as absent, as in kubectl. */
  text(name: string): string | undefined {
    const value = this.#own(name)
    if (value === undefined) return undefined
    if (typeof value !== 'string') throw this.invalid(name, 'must be a string')
    return value === '' ? undefined : value
  }

  flag(name: string): boolean {
    const value = this.#own(name)
    if (value !== undefined && typeof value !== 'boolean') throw this.invalid(name, 'must be true or false')
    return value === true
  }

  texts(name: string): string[] {
    const list = this.#list(name)
    if (!list.every((each) => typeof each === 'string')) throw this.invalid(name, 'must be a list of strings')
    return list
  }

  map(name: string): Fields | undefined {
    const value = this.#own(name)
    return value === undefined ? undefined : new Fields(this.source, this.#at(name), value)
  }

  maps(name: string): Fields[] {
    return this.#list(name).map((each, index) => new Fields(this.source, `${this.#at(name)}[${index}]`, each))
  }

  /** The value as it was read. */
  raw(name: string): unknown {
    return this.#own(name)
  }

  keys(): string[] {
    return Object.keys(this.#value)
  }

  invalid(name: string, problem: string, cause?: unknown): LadingError {
    const field = name === '' ? this.path : this.#at(name)
    const message = `${this.source.name}: ${field === '' ? 'the document' : field} ${problem}`
    return new LadingError('kubeconfig.invalid', message, { file: this.source.name, field }, { cause })
  }

  #at(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`
  }

  #own(name: string): unknown {
    const value = Object.hasOwn(this.#value, name) ? this.#value[name] : undefined
    return value === null ? undefined : value
  }

  #list(name: string): unknown[] {
    const value = this.#own(name)
    if (value === undefined) return []
    if (!Array.isArray(value)) throw this.invalid(name, 'must be a list')
    return value
  }
}
