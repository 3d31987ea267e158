import { LadingError } from '../../core/index.ts'
import type { DeploymentFilter, DeploymentStatus, PageQuery } from '../../deployment/index.ts'

const defaultLimit = 100
const mostItems = 1_000

interface PageFields {
  readonly limit?: number
  readonly offset?: number
  readonly cursor?: string
}

/** Which page a query asks for. */
export function pageOfQuery({ limit = defaultLimit, offset, cursor }: PageFields): PageQuery {
  if (limit > mostItems) {
    throw new LadingError('request.invalid', `query.limit: must be at most ${mostItems}`, { field: 'limit' })
  }
  return { limit, offset, cursor }
}

interface FilterFields extends PageFields {
  readonly namespace?: string
  readonly status?: string
  readonly labels?: string
  readonly extensions?: string
}

/** Which deployments a query asks for. */
export function filterOfQuery(query: FilterFields): DeploymentFilter {
  const { namespace, status } = query
  return {
    ...pageOfQuery(query),
    namespace,
    status: status as DeploymentStatus | undefined,
    labels: pairs('labels', query.labels),
    extensions: pairs('extensions', query.extensions),
  }
}

function pairs(field: string, text: string | undefined): Record<string, string> | undefined {
  if (text === undefined || text === '') return undefined
  const found = text.split(',').map((pair) => {
    const at = pair.indexOf('=')
    if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)] as const
    throw new LadingError('request.invalid', `query.${field}: must be NAME=VALUE, separated by commas`, { field })
  })
  return Object.fromEntries(found)
}

/** The Link header of a page that has a next one (RFC 8288). */
export function nextLink(url: string, next: string | undefined): Record<string, string> {
  if (next === undefined) return {}
  const target = new URL(url, 'http://gateway')
  target.searchParams.delete('offset')
  target.searchParams.set('cursor', next)
  return { link: `<${target.pathname}${target.search}>; rel="next"` }
}
