import { normalize } from 'node:path/posix'

/** Where something stands: a path from where the build began, or one of a repository. */
export interface OriginPlace {
  readonly path: string
  readonly repo?: string
  readonly ref?: string
}

/** Where a resource, or a change to it, came from (`buildMetadata`). */
export interface Origin extends Partial<OriginPlace> {
  readonly configuredIn?: string
  readonly configuredBy?: { apiVersion: string; kind: string; name?: string; namespace?: string }
}

/** The place of something that a kustomization refers to. */
export function joinOrigin({ path, ...repository }: OriginPlace, reference: string): OriginPlace {
  const joined = normalize(path === '' ? reference : `${path}/${reference}`)
  return { path: joined.length > 1 && joined.endsWith('/') ? joined.slice(0, -1) : joined, ...repository }
}

/** The origin of what a kustomization's own field makes. */
export function builtinOrigin(place: OriginPlace, file: string, kind: string): Origin {
  const { path, ...repository } = joinOrigin(place, file)
  return { ...repository, configuredIn: path, configuredBy: { apiVersion: 'builtin', kind } }
}
