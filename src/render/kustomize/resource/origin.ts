import { normalize } from 'node:path/posix'

/** Where a resource, or a change to it, came from (`buildMetadata`). */
export interface Origin {
  readonly path?: string
  readonly configuredIn?: string
  readonly configuredBy?: { apiVersion: string; kind: string; name?: string; namespace?: string }
}

/** The path of something that a kustomization refers to, from where the build began. */
export function joinOrigin(path: string, reference: string): string {
  const joined = normalize(path === '' ? reference : `${path}/${reference}`)
  return joined.length > 1 && joined.endsWith('/') ? joined.slice(0, -1) : joined
}

/** The origin of what a kustomization's own field makes. */
export function builtinOrigin(path: string, file: string, kind: string): Origin {
  return { configuredIn: joinOrigin(path, file), configuredBy: { apiVersion: 'builtin', kind } }
}
