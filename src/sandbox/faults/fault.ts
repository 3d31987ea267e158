import { stringifyJson } from '../../core/index.ts'
import { badRequest } from '../status-error.ts'

/** What goes wrong. */
export type FaultKind =
  /** The answer takes `ms` longer. */
  | 'latency'
  /** 429 with `Retry-After` of `retryAfterSeconds`. */
  | 'throttle'
  /** A server error, `code` (default: 500). */
  | 'error'
  /** The connection is cut. */
  | 'reset'
  /** There is no answer, ever; the connection stays open. */
  | 'hang'
  /** 409 as if somebody else had been faster. */
  | 'conflict'
  /** 410 as if the version that was asked for had been compacted. */
  | 'gone'
  /** A watch is cut after `events` of its events, or after `ms`. */
  | 'drop-watch'

/** A fault with the requests that it strikes; what is not given matches everything. */
export interface FaultSpec {
  readonly fault: FaultKind
  /** Kubernetes verbs, or `read` and `write` for all of a sort. */
  readonly verb?: string | readonly string[]
  /** `configmaps`, `deployments.apps`, `deployments.apps/status`. */
  readonly resource?: string
  readonly namespace?: string
  readonly name?: string
  /** A regular expression for the path. */
  readonly path?: string
  /** How many of the matching requests are struck, in percent; which ones follows from the seed. */
  readonly percentage?: number
  /** So many matching requests pass before the first is struck. */
  readonly after?: number
  /** Strikes at most so often. */
  readonly count?: number
  /** `after`: the request is carried out, and its answer is what gets lost. */
  readonly when?: 'before' | 'after'
  readonly ms?: number
  readonly retryAfterSeconds?: number
  readonly code?: number
  readonly events?: number
}

/** A fault that is set, with how often it matched and struck. */
export interface ActiveFault extends FaultSpec {
  readonly id: number
  readonly matched: number
  readonly struck: number
}

const kinds: ReadonlySet<string> = new Set<FaultKind>([
  'latency',
  'throttle',
  'error',
  'reset',
  'hang',
  'conflict',
  'gone',
  'drop-watch',
])
const numbers = ['percentage', 'after', 'count', 'ms', 'retryAfterSeconds', 'code', 'events']
const texts = ['resource', 'namespace', 'name', 'path']

/** Reads a fault that came over HTTP. */
export function readFault(body: unknown): FaultSpec {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badRequest('a fault is an object')
  for (const [key, value] of Object.entries(body as Record<string, unknown>)) {
    if (!isGood(key, value)) throw badRequest(`a fault cannot have ${key}: ${stringifyJson(value)}`)
  }
  const spec = body as FaultSpec
  if (!kinds.has(spec.fault)) throw badRequest(`fault has to be one of ${[...kinds].join(', ')}`)
  return spec
}

function isGood(key: string, value: unknown): boolean {
  if (numbers.includes(key)) return typeof value === 'number' && Number.isFinite(value) && value >= 0
  if (key === 'path') return typeof value === 'string' && isPattern(value)
  if (texts.includes(key)) return typeof value === 'string'
  if (key === 'when') return value === 'before' || value === 'after'
  if (key === 'verb')
    return typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'))
  return key === 'fault'
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp
  } catch {
    return false
  }
}
