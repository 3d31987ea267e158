import type { KubeObject } from '../core/index.ts'
import type { AdoptableTool, OwnershipGuard } from '../kube/index.ts'
import { annotation } from './annotations.ts'
import type { ReleaseName } from './desired.ts'
import type { ReleaseStore } from './storage/release-store.ts'

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
 * The ownership that belongs to a store. What Helm keeps the records of is marked as Helm marks it and written under Helm's
 * name: a release can then go back and forth between the two, and neither meets the other as a conflict.
 */
export function ownershipOf({ name, namespace }: ReleaseName, { driver }: Pick<ReleaseStore, 'driver'>): Ownership {
  if (driver === 'helm') {
    const annotations = { 'meta.helm.sh/release-name': name, 'meta.helm.sh/release-namespace': namespace }
    const labels = { 'app.kubernetes.io/managed-by': 'Helm' }
    // What Helm wrote without server-side apply stands under its name too, as updates.
    return { guard: { labels, annotations }, fieldManager: 'helm', adopt: ['helm'] }
  }
  const annotations = { 'lading.dev/release-name': name, 'lading.dev/release-namespace': namespace }
  return { guard: { annotations }, fieldManager: 'lading', adopt: [] }
}

/** The object with the marks of its release. */
export function markOwned(object: KubeObject, { guard }: Ownership): KubeObject {
  const { labels, annotations } = object.metadata
  return {
    ...object,
    metadata: {
      ...object.metadata,
      ...(guard.labels === undefined ? {} : { labels: { ...labels, ...guard.labels } }),
      ...(guard.annotations === undefined ? {} : { annotations: { ...annotations, ...guard.annotations } }),
    },
  }
}

/** The other release that an object is a part of. Hooks are no part of any: what one left, another of the same name may replace. */
export function otherOwner(live: KubeObject, release: ReleaseName): string | undefined {
  if (annotation(live, 'hook') !== undefined) return undefined
  const { annotations = {} } = live.metadata
  const own = `${release.namespace}/${release.name}`
  const owners = ['lading.dev', 'meta.helm.sh'].flatMap((prefix) => {
    const [namespace, name] = [annotations[`${prefix}/release-namespace`], annotations[`${prefix}/release-name`]]
    return name === undefined ? [] : [`${namespace ?? release.namespace}/${name}`]
  })
  return owners.includes(own) ? undefined : owners[0]
}

/** How a set is written for a release: the caller's own adoptions come on top. */
export function writingAs(
  { fieldManager, adopt }: Ownership,
  options: { readonly adopt?: readonly AdoptableTool[] },
): { fieldManager: string; adopt: readonly AdoptableTool[] } {
  return { fieldManager, adopt: [...new Set([...adopt, ...(options.adopt ?? [])])] }
}
