import { isDnsSubdomain, type KubeObject } from '../core/index.ts'
import { type PackageKind, packageKinds } from './flux-kinds.ts'

/** The source that the id of a package names. */
export interface NamedPackage {
  readonly kind: PackageKind
  readonly namespace: string
  readonly name: string
}

/** The id of a source: `gitrepository:NAMESPACE:NAME`. */
export function packageIdOf(kind: string, namespace: string, name: string): string {
  return `${kind.toLowerCase()}:${namespace}:${name}`
}

/** The id of a live source. */
export function sourceId({ kind, metadata }: KubeObject): string {
  return packageIdOf(kind, metadata.namespace ?? '', metadata.name)
}

/** Reads the id of a package; undefined where the text cannot be one. */
export function readPackageId(id: string): NamedPackage | undefined {
  const [type, namespace = '', name = '', ...more] = id.split(':')
  const kind = packageKinds.find((known) => known.toLowerCase() === type)
  if (kind === undefined || more.length > 0 || !isDnsSubdomain(namespace) || !isDnsSubdomain(name)) return undefined
  return { kind, namespace, name }
}
