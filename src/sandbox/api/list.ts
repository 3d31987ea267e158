import type { KubeObject } from '../../core/index.ts'
import type { Backend } from '../backend.ts'
import { badRequest, expired } from '../status-error.ts'
import { inVersion } from './in-version.ts'
import type { RequestInfo } from './request-info.ts'
import { fieldSelector, labelSelector, type Selector } from './selectors.ts'
import { apiVersionOf } from './write.ts'

/** A list as the API answers it. */
export interface ListBody {
  readonly kind: string
  readonly apiVersion: string
  readonly metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number }
  readonly items: readonly KubeObject[]
}

/** GET of a collection, in pages when a limit is given. Later pages show the objects of now, from where the last one ended. */
export function list(backend: Backend, info: RequestInfo, query: URLSearchParams): ListBody {
  const { type } = info
  const selected = selectorOf(query)
  const all = backend.store.list(type.collection, info.namespace)
  const matching = selected === undefined ? all : all.filter(selected)
  const limit = Number(query.get('limit') ?? 0)
  const token = readToken(query.get('continue'))
  if (token !== undefined && token.version < backend.store.forgottenVersion) {
    throw expired('The provided continue parameter is too old to display a consistent list result.')
  }
  checkVersion(backend, query)
  const start = token === undefined ? 0 : matching.findIndex((object) => keyOf(object) > token.after)
  const rest = start < 0 ? [] : matching.slice(start)
  const items = limit > 0 ? rest.slice(0, limit) : rest
  const remaining = rest.length - items.length
  const version = token?.version ?? backend.store.version
  const last = items.at(-1)
  // Lists of custom resources say in words that there is no more.
  const end = type.crd === undefined ? {} : { continue: '' }
  return {
    kind: type.listKind,
    apiVersion: apiVersionOf(type),
    metadata: {
      resourceVersion: String(version),
      ...(remaining > 0 && last !== undefined ? { continue: writeToken({ version, after: keyOf(last) }) } : end),
      // The count is only known exactly when nothing was filtered out.
      ...(remaining > 0 && selected === undefined ? { remainingItemCount: remaining } : {}),
    },
    items: type.crd === undefined ? items : items.map((item) => inVersion(type, item)),
  }
}

/** The selector that a query's label and field selectors make together. */
export function selectorOf(query: URLSearchParams): Selector | undefined {
  const labels = labelSelector(query.get('labelSelector') ?? undefined)
  const fields = fieldSelector(query.get('fieldSelector') ?? undefined)
  if (labels === undefined) return fields
  return fields === undefined ? labels : (object) => labels(object) && fields(object)
}

function checkVersion(backend: Backend, query: URLSearchParams): void {
  const asked = query.get('resourceVersion') ?? ''
  if (asked === '' || asked === '0') return
  if (!/^\d+$/.test(asked)) throw badRequest(`invalid resourceVersion "${asked}"`)
  if (Number(asked) > backend.store.version) {
    throw expired(`Too large resource version: ${asked}, current: ${backend.store.version}`)
  }
  if (query.get('resourceVersionMatch') === 'Exact' && Number(asked) < backend.store.forgottenVersion) {
    throw expired(`The resourceVersion for the provided list is too old.`)
  }
}

interface Token {
  readonly version: number
  readonly after: string
}

function writeToken(token: Token): string {
  return Buffer.from(JSON.stringify([token.version, token.after])).toString('base64url')
}

function readToken(text: string | null): Token | undefined {
  if (text === null || text === '') return undefined
  try {
    const [version, after] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [unknown, unknown]
    if (typeof version === 'number' && typeof after === 'string') return { version, after }
  } catch {
    // Falls through to the refusal.
  }
  throw badRequest('continue key is not valid')
}

function keyOf(object: KubeObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`
}
