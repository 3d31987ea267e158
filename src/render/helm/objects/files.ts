import { compareText, fromBytes } from '../../gotemplate/index.ts'
import { GoFunction, GoInt, type GoList, type GoMap, GoObject, goType, type GoValue } from '../../gotemplate/value.ts'
import type { ChartFile } from '../chart/chart.ts'
import { globMatcher } from './glob.ts'

// One object for each byte there is: lists of bytes are then no more than lists of references.
const byteValues = Array.from({ length: 256 }, (_, byte) => new GoInt(byte, 'uint8'))

/** `.Files`: what a chart has besides templates, values and subcharts. */
export class Files extends GoObject {
  readonly typeName = 'engine.files'
  readonly #files: ReadonlyMap<string, Uint8Array>
  readonly #toYaml: (value: GoValue) => string
  #map: GoMap | undefined

  constructor(files: readonly ChartFile[], toYaml: (value: GoValue) => string) {
    super()
    this.#files = new Map(files.map(({ name, data }) => [name, data]))
    this.#toYaml = toYaml
  }

  override member(name: string): GoValue {
    switch (name) {
      case 'Get':
        return new GoFunction(name, ['string'], ([path]) => fromBytes(this.#bytes(path as string)))
      case 'GetBytes':
        return new GoFunction(name, ['string'], ([path]) => byteList(this.#bytes(path as string)))
      case 'Glob':
        return new GoFunction(name, ['string'], ([pattern]) => this.#glob(pattern as string))
      case 'Lines':
        return new GoFunction(name, ['string'], ([path]) => this.#lines(path as string))
      case 'AsConfig':
        return new GoFunction(name, [], () => this.#asYaml(fromBytes))
      case 'AsSecrets':
        return new GoFunction(name, [], () => this.#asYaml((data) => Buffer.from(data).toString('base64')))
      default:
        return undefined
    }
  }

  override underlying(): GoValue {
    this.#map ??= this.#lazyMap()
    return this.#map
  }

  #bytes(path: string): Uint8Array {
    return this.#files.get(path) ?? new Uint8Array()
  }

  #glob(pattern: string): Files {
    const matches = globMatcher(pattern)
    const files = [...this.#files].filter(([name]) => matches(name)).map(([name, data]) => ({ name, data }))
    return new Files(files, this.#toYaml)
  }

  #lines(path: string): GoList {
    const data = this.#files.get(path)
    const lines: GoList = data === undefined ? [] : fromBytes(data).replace(/\n$/, '').split('\n')
    return Object.assign(lines, { [goType]: '[]string' })
  }

  // Keys are names without folders: of two equal ones Go keeps either, here the last by path.
  #asYaml(encode: (data: Uint8Array) => string): string {
    const map = Object.create(null) as GoMap
    for (const name of [...this.#files.keys()].sort(compareText)) {
      map[name.slice(name.lastIndexOf('/') + 1)] = encode(this.#bytes(name))
    }
    return this.#toYaml(map)
  }

  // Most templates range over names only: contents become lists of bytes when they are looked at.
  #lazyMap(): GoMap {
    const map = Object.create(null) as GoMap
    for (const [name, data] of this.#files) {
      let list: GoList | undefined
      Object.defineProperty(map, name, { enumerable: true, get: () => (list ??= byteList(data)) })
    }
    return Object.assign(map, { [goType]: 'map[string][]uint8' })
  }
}

function byteList(data: Uint8Array): GoList {
  const list: GoList = Array.from(data, (byte) => byteValues[byte]!)
  return Object.assign(list, { [goType]: '[]uint8' })
}
