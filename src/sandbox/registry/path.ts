import { RegistryError } from './registry-error.ts'

/** What a path can be about. */
export type Endpoint = 'root' | 'catalog' | 'blobs' | 'begin-upload' | 'upload' | 'manifests' | 'tags' | 'referrers'

/** What a path names. */
export interface Target {
  readonly endpoint: Endpoint
  readonly name?: string
  /** Digest, tag or the id of an upload. */
  readonly reference: string
}

// `<name>` may hold slashes and any of these words, so that the end of the path decides.
const endpoints: readonly [RegExp, Endpoint][] = [
  [/^\/v2\/(.+)\/blobs\/uploads\/?$/, 'begin-upload'],
  [/^\/v2\/(.+)\/blobs\/uploads\/([^/]+)$/, 'upload'],
  [/^\/v2\/(.+)\/blobs\/([^/]+)$/, 'blobs'],
  [/^\/v2\/(.+)\/manifests\/([^/]+)$/, 'manifests'],
  [/^\/v2\/(.+)\/tags\/list$/, 'tags'],
  [/^\/v2\/(.+)\/referrers\/([^/]+)$/, 'referrers'],
]

const namePattern = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/

/** Reads a path; refuses what is none of the specification's. */
export function parsePath(path: string): Target {
  if (path === '/v2' || path === '/v2/') return { endpoint: 'root', reference: '' }
  if (path === '/v2/_catalog') return { endpoint: 'catalog', reference: '' }
  for (const [pattern, endpoint] of endpoints) {
    const [, name, reference = ''] = pattern.exec(path) ?? []
    if (name === undefined) continue
    if (!isRepositoryName(name)) throw new RegistryError('NAME_INVALID', 'invalid repository name')
    return { endpoint, name, reference: decode(reference) }
  }
  throw new RegistryError('UNSUPPORTED', 'nothing is served at this path', { status: 404 })
}

/** Whether a text can name a repository (distribution specification, "Pulling manifests"). */
export function isRepositoryName(text: string): boolean {
  return text.length <= 255 && namePattern.test(text)
}

function decode(reference: string): string {
  try {
    return decodeURIComponent(reference)
  } catch {
    return ''
  }
}
