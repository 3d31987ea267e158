import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { compileFunction } from 'node:vm'
import type { Environment } from 'minijinja-js'
import { LadingError } from '../../../core/index.ts'

/** MiniJinja, ready to make environments. */
export interface Engine {
  newEnvironment(): Environment
}

/** 256 MiB; what a template makes beyond that ends it. */
const maxPages = 4096

/**
 * Loads MiniJinja anew, with a memory of its own that is limited: an engine that ran out of it is of no use any more. As a module
 * it would be there once, its memory without limit, and never be collected; so its binding is run here, and handed its binary.
 */
export async function loadEngine(): Promise<Engine> {
  const require = createRequire(import.meta.url)
  const path = require.resolve('minijinja-js')
  const [source, binary] = await Promise.all([
    readFile(path, 'utf8'),
    readFile(join(dirname(path), 'minijinja_js_bg.wasm')),
  ])
  const module: { exports: Partial<Binding> } = { exports: {} }
  const load = (name: string): unknown =>
    name === 'fs' ? { readFileSync: () => withMemoryLimit(binary) } : require(`node:${name}`)
  const names = ['module', 'exports', 'require', '__dirname', 'FinalizationRegistry']
  const run = compileFunction(source, names, { filename: path }) as RunModule
  run(module, module.exports, load, dirname(path), NoRegistry)
  const { Environment } = module.exports
  if (Environment === undefined) throw new LadingError('internal', 'the template engine could not be loaded')
  return { newEnvironment: () => new Environment() }
}

interface Binding {
  readonly Environment: new () => Environment
}

type RunModule = (
  module: object,
  exports: object,
  require: (name: string) => unknown,
  folder: string,
  registry: typeof NoRegistry,
) => void

// Memory that is collected goes with its engine. A rendering that was dropped half-way leaves memory in which nothing may run any more.
class NoRegistry {
  register(): void {}
  unregister(): void {}
}

const memorySection = 5

// The memory section of a WebAssembly module is a count, a flag and the first size; with the flag 1 the largest follows.
function withMemoryLimit(binary: Uint8Array): Uint8Array {
  for (let at = 8; at < binary.length;) {
    const [size, start] = readNumber(binary, at + 1)
    if (binary[at] === memorySection) {
      const [least] = readNumber(binary, start + 2)
      const body = [1, 1, ...writeNumber(least), ...writeNumber(maxPages)]
      const section = Uint8Array.from([memorySection, ...writeNumber(body.length), ...body])
      return Buffer.concat([binary.subarray(0, at), section, binary.subarray(start + size)])
    }
    at = start + size
  }
  throw new LadingError('internal', 'the template engine has no memory section')
}

// Numbers are LEB128 (WebAssembly specification, section 5.2.2).
function readNumber(bytes: Uint8Array, from: number): [value: number, next: number] {
  let value = 0
  for (let at = from, shift = 0; ; at++, shift += 7) {
    const byte = bytes[at] ?? 0
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return [value, at + 1]
  }
}

function writeNumber(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...writeNumber(Math.floor(value / 0x80))]
}
