import { type Access, scopesOf } from './access.ts'
import { answer, answerPage, type Exchange } from './exchange.ts'
import { parsePath, type Target } from './path.ts'
import { RegistryError } from './registry-error.ts'
import { Repository } from './repository.ts'
import { serveBlob } from './serve-blobs.ts'
import { serveManifest, serveReferrers } from './serve-manifests.ts'
import type { Uploads } from './serve-uploads.ts'
import type { RegistryStorage } from './storage/storage.ts'

/** The parts that a registry's HTTP side is made of. */
export interface RegistryParts {
  readonly storage: RegistryStorage
  readonly uploads: Uploads
  readonly access: Access | undefined
  readonly readOnly: boolean
}

/** Answers requests as the OCI distribution specification says. */
export function registryRoute(parts: RegistryParts): (exchange: Exchange) => Promise<void> {
  const repositories = new Map<string, Repository>()
  const repositoryOf = (name: string): Repository => {
    const repository = repositories.get(name) ?? new Repository(parts.storage.repository(name))
    repositories.set(name, repository)
    return repository
  }
  return async (exchange) => {
    if ((await parts.access?.serve?.(exchange)) === true) return
    const target = parsePath(exchange.url.pathname)
    const method = exchange.request.method ?? 'GET'
    parts.access?.check(
      exchange,
      target.endpoint === 'root' ? [] : scopesOf(method, target.name, mountedFrom(exchange)),
    )
    if (parts.readOnly && method !== 'GET' && method !== 'HEAD') {
      throw new RegistryError('UNSUPPORTED', 'this registry is read only')
    }
    await serve(exchange, parts, target, repositoryOf)
  }
}

function mountedFrom({ request, url }: Exchange): string | undefined {
  return request.method === 'POST' && url.searchParams.has('mount')
    ? (url.searchParams.get('from') ?? undefined)
    : undefined
}

async function serve(
  exchange: Exchange,
  { storage, uploads }: RegistryParts,
  { endpoint, name = '', reference }: Target,
  repositoryOf: (name: string) => Repository,
): Promise<void> {
  switch (endpoint) {
    case 'root':
      return answer(exchange, 200, {}, {})
    case 'catalog':
      return answerPage(exchange, 'repositories', (await storage.names()).sort())
    case 'blobs':
      return serveBlob(exchange, repositoryOf(name), reference)
    case 'begin-upload':
      return uploads.begin(exchange, name, repositoryOf(name))
    case 'upload':
      return uploads.serve(exchange, name, reference)
    case 'manifests':
      return serveManifest(exchange, name, repositoryOf(name), reference)
    case 'referrers':
      return serveReferrers(exchange, repositoryOf(name), reference)
    case 'tags': {
      const tags = await repositoryOf(name).tags()
      if (tags === undefined)
        throw new RegistryError('NAME_UNKNOWN', 'repository name not known to registry', { detail: { name } })
      return answerPage(exchange, 'tags', tags, { name })
    }
  }
}
