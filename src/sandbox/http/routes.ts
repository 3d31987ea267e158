import type { IncomingMessage } from 'node:http'
import type { Catalog } from '../catalog.ts'
import { methodNotAllowed } from '../status-error.ts'
import { aggregatedDiscovery, coreVersions, groupList, oneGroup, resourceList } from './discovery.ts'
import { openapiRoute } from './openapi/route.ts'
import type { FixedAnswer, StaticRoutes } from './serve.ts'

/** Everything that is served beside objects. */
export function staticRoutes(catalog: Catalog): StaticRoutes {
  const openapi = openapiRoute(catalog)
  const find: StaticRoutes = (parts, request) => {
    switch (parts[0]) {
      case undefined:
        return { body: { paths: pathsOf(catalog) } }
      case 'version':
        return { body: versionInfo(catalog.schema.version) }
      case 'readyz':
      case 'livez':
      case 'healthz':
        return parts.length === 1 || parts[1] === 'ping' ? { body: 'ok' } : undefined
      case 'api':
      case 'apis':
        return discoveryRoute(catalog, parts, request)
      case 'openapi':
        return openapi(parts, request)
      default:
        return undefined
    }
  }
  return (parts, request) => {
    const found = find(parts, request)
    if (found !== undefined && request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed()
    return found
  }
}

/** The paths that there are documents at, as `/` lists them. */
function pathsOf(catalog: Catalog): string[] {
  const versions = catalog
    .all()
    .flatMap(({ group, version }) => (group === '' ? [] : [`/apis/${group}`, `/apis/${group}/${version}`]))
  const fixed = ['/api', '/api/v1', '/apis', '/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version']
  return [...new Set([...fixed, ...versions])].sort()
}

function discoveryRoute(catalog: Catalog, parts: readonly string[], request: IncomingMessage): FixedAnswer | undefined {
  const core = parts[0] === 'api'
  // Clients take the aggregated form only when the answer's content type says that it is one.
  if (parts.length === 1 && /v=v2;as=APIGroupDiscoveryList/.test(request.headers.accept ?? '')) {
    return { body: aggregatedDiscovery(catalog, core), contentType: aggregatedType }
  }
  const body = plainDiscovery(catalog, parts, request)
  return body === undefined ? undefined : { body }
}

const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

function plainDiscovery(catalog: Catalog, parts: readonly string[], request: IncomingMessage): unknown {
  const [root, first = '', second = ''] = parts
  if (root === 'api') {
    if (parts.length === 1) return coreVersions(request.headers.host ?? '')
    return parts.length === 2 ? resourceList(catalog, '', first) : undefined
  }
  if (parts.length === 1) return groupList(catalog)
  if (parts.length === 2) return oneGroup(catalog, first)
  return parts.length === 3 ? resourceList(catalog, first, second) : undefined
}

function versionInfo(version: string): Record<string, string> {
  const [, major = '1', minor = '0'] = /^v(\d+)\.(\d+)/.exec(version) ?? []
  return {
    major,
    minor,
    gitVersion: `${version}+lading-sandbox`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: 'lading',
    platform: `${process.platform}/${process.arch}`,
  }
}
