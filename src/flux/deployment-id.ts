import { isDnsSubdomain, type KubeObject } from '../core/index.ts'
import type { FluxKind } from './flux-kinds.ts'

/** The kinds by the word that stands for them in ids and in `flux.type`. */
export const kindOfType: Readonly<Record<string, FluxKind>> = {
  helmrelease: 'HelmRelease',
  kustomization: 'Kustomization',
}

/** What an id names: an object of one kind, or with a bare name, whichever kind has an object of that name. */
export interface NamedDeployment {
  readonly kind: FluxKind | undefined
  readonly namespace: string
  readonly name: string
}

/** The id of an object: `helmrelease:NAMESPACE:NAME`, so that two kinds and two namespaces do not collide. */
export function idOf(object: KubeObject): string {
  return `${object.kind.toLowerCase()}:${object.metadata.namespace ?? ''}:${object.metadata.name}`
}

/** Reads an id; undefined where the text cannot be one. */
export function readId(id: string, home: string): NamedDeployment | undefined {
  const parts = id.split(':')
  if (parts.some((part) => !isDnsSubdomain(part))) return undefined
  const [type = '', namespace = '', name = ''] = parts
  if (parts.length === 1) return { kind: undefined, namespace: home, name: type }
  const kind = kindOfType[type]
  return parts.length === 3 && kind !== undefined ? { kind, namespace, name } : undefined
}
