import { type KubeObject, parseJson, stringifyJson } from '../../../core/index.ts'
import type { Backend } from '../../backend.ts'
import { badRequest, expired, StatusError, unreadableVersion } from '../../status-error.ts'
import { inVersion } from './in-version.ts'
import { checkListOptions } from './list-options.ts'
import { numberOf } from '../parameters.ts'
import type { ResourceRequest } from '../resource-request.ts'
import { selectorOf } from './selectors.ts'
import { apiVersionOf } from '../write/decode-object.ts'

/** A list as the API answers it. */
export interface ListBody {
  readonly kind: string
  readonly apiVersion: string
  readonly metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number }
  readonly items: readonly KubeObject[]
}

/** GET of a collection, in pages when a limit is given: all of them show the moment of the first one. */
export function list(backend: Backend, info: ResourceRequest, query: URLSearchParams): ListBody {
  const { type } = info
  const asked = numberOf(query, 'limit') ?? 0
  checkListOptions(query)
  // Any version will do: then the API server's cache answers, which knows no pages.
  const limit = query.get('resourceVersion') === '0' && !query.has('continue') ? 0 : asked
  const selected = selectorOf(type, query)
  const token = readToken(query)
  const version = token?.version ?? readVersion(backend, query)
  const all =
    version === undefined
      ? backend.store.list(type.collection, info.namespace)
      : backend.store.listAt(type.collection, info.namespace, version)
  if (all === undefined) throw expired(token === undefined ? tooOldVersion : tooOldToken)
  const matching = selected === undefined ? all : all.filter(selected)
  const start = token === undefined ? 0 : matching.findIndex((object) => keyOf(object) > token.after)
  const rest = start < 0 ? [] : matching.slice(start)
  const items = limit > 0 ? rest.slice(0, limit) : rest
  const remaining = rest.length - items.length
  const shown = version ?? backend.store.version
  const last = items.at(-1)
  // Lists of custom resources say in words that there is no more.
  const end = type.crd === undefined ? {} : { continue: '' }
  return {
    kind: type.listKind,
    apiVersion: apiVersionOf(type),
    metadata: {
      resourceVersion: String(shown),
      ...(remaining > 0 && last !== undefined ? { continue: writeToken({ version: shown, after: keyOf(last) }) } : end),
      // The count is only known exactly when nothing was filtered out.
      ...(remaining > 0 && selected === undefined ? { remainingItemCount: remaining } : {}),
    },
    items: type.crd === undefined ? items : items.map((item) => inVersion(type, item)),
  }
}

const tooOldVersion = 'The resourceVersion for the provided list is too old.'
const tooOldToken =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.'

/** The version that must be shown exactly; undefined when the latest will do. */
function readVersion(backend: Backend, query: URLSearchParams): number | undefined {
  const asked = query.get('resourceVersion') ?? ''
  const match = query.get('resourceVersionMatch') ?? ''
  if (asked === '' || asked === '0') return undefined
  if (!/^\d+$/.test(asked)) {
    throw badRequest(`invalid resource version: resourceVersion: Invalid value: ${stringifyJson(asked)}`)
  }
  if (Number(asked) > backend.store.version) throw tooLarge(asked, backend.store.version)
  // A limit without a match means exactly, as before there were matches.
  const exact = match === 'Exact' || (match === '' && Number(query.get('limit') ?? 0) > 0)
  return exact ? Number(asked) : undefined
}

/** Refuses to read what is yet to come, or a version that is none. */
export function checkReadVersion(backend: Backend, query: URLSearchParams): void {
  const asked = query.get('resourceVersion') ?? ''
  if (!/^\d*$/.test(asked)) throw unreadableVersion(asked)
  if (Number(asked) > backend.store.version) throw tooLarge(asked, backend.store.version)
}

function tooLarge(asked: string, current: number): StatusError {
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }]
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`
  return new StatusError(504, 'Timeout', message, { causes, retryAfterSeconds: 1 })
}

interface Token {
  readonly version: number
  readonly after: string
}

function writeToken(token: Token): string {
  return Buffer.from(stringifyJson([token.version, token.after])).toString('base64url')
}

function readToken(query: URLSearchParams): Token | undefined {
  const text = query.get('continue') ?? ''
  if (text === '') return undefined
  if (!['', '0'].includes(query.get('resourceVersion') ?? '')) {
    throw badRequest('specifying resource version is not allowed when using continue')
  }
  try {
    const [version, after] = parseJson(Buffer.from(text, 'base64url').toString()) as [unknown, unknown]
    if (typeof version === 'number' && typeof after === 'string') return { version, after }
  } catch {
    // Falls through to the refusal.
  }
  throw badRequest('continue key is not valid')
}

function keyOf(object: KubeObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`
}
