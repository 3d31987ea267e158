import type { AdoptableTool, OwnershipGuard } from '../kube/index.ts'
import type { ReleaseName } from './release-name.ts'

/** The label by which Helm tells its objects, next to its annotations. */
export const managedByLabel = 'app.kubernetes.io/managed-by'

/** How a release's objects are told from all others, and how they are written. */
export interface Ownership {
  /** What every object of the release carries. */
  readonly guard: OwnershipGuard
  /** Under which name fields are owned. */
  readonly fieldManager: string
  /** Tools whose fields are the release's own as well. */
  readonly adopt: readonly AdoptableTool[]
}

/**
 * Lading's own marks and field manager: what a `ReleaseStore` gives as `ownership` if its records are of no other tool. Helm's marks of
 * another release mean that the object is not this release's.
 */
export function ladingOwnership(release: ReleaseName): Ownership {
  const [lading, helm] = [marksOf('lading.dev', release), marksOf('meta.helm.sh', release)]
  return { guard: { annotations: lading, noOther: helm }, fieldManager: 'lading', adopt: [] }
}

/**
 * Helm's marks and field manager: a release then goes back and forth between Helm and Lading, and neither meets the other as a conflict.
 * What Helm wrote without server-side apply stands under its name too, as updates, and is adopted.
 */
export function helmOwnership(release: ReleaseName): Ownership {
  const [lading, helm] = [marksOf('lading.dev', release), marksOf('meta.helm.sh', release)]
  const labels = { [managedByLabel]: 'Helm' }
  return { guard: { labels, annotations: helm, noOther: lading }, fieldManager: 'helm', adopt: ['helm'] }
}

/** The prefixes of the annotations that name the release of an object. */
export const markPrefixes = ['lading.dev', 'meta.helm.sh'] as const

/** The annotations that name the release of an object. */
export function marksOf(
  prefix: (typeof markPrefixes)[number],
  { name, namespace }: ReleaseName,
): Record<string, string> {
  return { [`${prefix}/release-name`]: name, [`${prefix}/release-namespace`]: namespace }
}
