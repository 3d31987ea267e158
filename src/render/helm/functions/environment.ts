import { newSeed, type RandomSource, seededRandom } from '../../../core/index.ts'
import { GoError, type GoValue } from '../../gotemplate/value.ts'

/** What functions take from outside of the template. */
export interface FunctionEnvironment {
  /** The time that `now` gives. */
  now(): Date
  /** Where keys, passwords and shuffles come from; a source of the same seed gives the same ones again. */
  readonly random: RandomSource
  /** The zone that `date` writes times in, by its IANA name. */
  readonly timezone: string
  /** Objects of the cluster; without it `lookup` finds nothing, as in `helm template`. */
  readonly lookup?: (apiVersion: string, kind: string, namespace: string, name: string) => GoValue
  /** In lint mode `fail` and `required` do not end the template. */
  readonly lint?: boolean
  readonly limits: FunctionLimits
}

/** How much one call may make. */
export interface FunctionLimits {
  /** The longest text, in bytes. */
  readonly textLength: number
  /** The longest list. */
  readonly listLength: number
  /** The deepest nesting of maps and lists. */
  readonly depth: number
  /** How many slow key generations a function table allows. */
  readonly keys: number
}

/** What holds where an environment says nothing else. */
const defaultLimits: FunctionLimits = {
  textLength: 64 * 1024 * 1024,
  listLength: 1_000_000,
  depth: 1000,
  keys: 100,
}

/** An environment: by default the machine's clock and a fresh seed. */
export function functionEnvironment(given: Partial<FunctionEnvironment> = {}): FunctionEnvironment {
  return { now: () => new Date(), random: seededRandom(newSeed()), timezone: 'UTC', limits: defaultLimits, ...given }
}

/** Refuses a text that would be too long, before it is made. */
export function checkLength(bytes: number, limits: FunctionLimits): void {
  if (bytes <= limits.textLength) return
  throw new GoError(`the text would have ${bytes} bytes, a template's function may make ${limits.textLength}`)
}

/** Refuses a list that would be too long, before it is made. */
export function checkCount(items: number, limits: FunctionLimits): void {
  if (items <= limits.listLength) return
  throw new GoError(`the list would have ${items} items, a template's function may make ${limits.listLength}`)
}

/** Refuses nesting that is too deep, which a map that holds itself is too. */
export function checkDepth(depth: number, limits: FunctionLimits): void {
  if (depth > limits.depth) throw new GoError(`maps and lists are nested deeper than ${limits.depth} levels`)
}
