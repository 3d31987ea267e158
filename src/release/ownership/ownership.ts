import { type KubeObject, objectId, type ObjectMeta } from '../../core/index.ts'
import { type AdoptableTool, type ForeignPolicy, ownershipMismatch } from '../../kube/index.ts'
import type { ReleaseName } from '../release-name.ts'
import { type ForeignOptions, foreignPolicyOf } from './foreign-policy.ts'
import type { ReleaseHistory } from '../record/history.ts'
import type { InventoryEntry } from '../record/record.ts'
import type { HelmRecord } from '../storage/helm/helm-release.ts'

import { managedByLabel, markPrefixes, marksOf, type Ownership } from '../ownership.ts'

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

/** Whether an object carries the marks of this release, of Lading or of Helm. */
export function ownRelease({ annotations = {} }: ObjectMeta, release: ReleaseName): boolean {
  return markPrefixes.some((prefix) =>
    Object.entries(marksOf(prefix, release)).every(([key, value]) => annotations[key] === value),
  )
}

/** Helm's marks on an object that is another release's. */
export function otherHelmMarks({ annotations = {} }: ObjectMeta, release: ReleaseName): string[] {
  const marks = Object.entries(marksOf('meta.helm.sh', release))
  const isOther = marks.some(([key, own]) => annotations[key] !== undefined && annotations[key] !== own)
  return isOther ? marks.flatMap(([key]) => (annotations[key] === undefined ? [] : [key])) : []
}

/** The other release, of Lading or of Helm, whose marks an object carries. */
export function otherRelease({ annotations = {} }: ObjectMeta, release: ReleaseName): string | undefined {
  const owners = markPrefixes.flatMap((prefix) => {
    const [namespace, name] = [annotations[`${prefix}/release-namespace`], annotations[`${prefix}/release-name`]]
    return name === undefined ? [] : [`${namespace ?? release.namespace}/${name}`]
  })
  return owners.find((owner) => owner !== `${release.namespace}/${release.name}`)
}

/**
 * The annotations, and Helm's label, by which a live object is another release's, to be removed when it is taken from that release. With
 * `all` a release of the other tool is another one even if it has the same name: that tool would go on to change and delete the object.
 */
export function otherMarks(
  { annotations = {}, labels = {} }: ObjectMeta,
  { guard }: Ownership,
  all: boolean,
): string[] {
  const { noOther = {} } = guard
  const marks = Object.entries({ ...guard.annotations, ...noOther }).flatMap(([key, own]) =>
    annotations[key] === undefined || (annotations[key] === own && !(all && key in noOther)) ? [] : [key],
  )
  const isHelms = marks.some((key) => key in noOther && key.startsWith('meta.helm.sh/'))
  return isHelms && labels[managedByLabel] === 'Helm' ? [...marks, managedByLabel] : marks
}

/** A release that a live object belongs to by its marks. */
interface MarkedOwner {
  /** For messages: `the Helm release shop/web`. */
  readonly text: string
  /** Where that release is found, if it is not among those of this store. */
  readonly hint?: string
}

/** The release whose marks an object carries; one of the other tool is another release even if it has the same name. */
export function markedOwner(
  { annotations = {} }: ObjectMeta,
  release: ReleaseName,
  { guard }: Ownership,
): MarkedOwner | undefined {
  for (const prefix of markPrefixes) {
    const name = annotations[`${prefix}/release-name`]
    if (name === undefined) continue
    const owner = `${annotations[`${prefix}/release-namespace`] ?? release.namespace}/${name}`
    const isOtherTool = guard.noOther !== undefined && `${prefix}/release-name` in guard.noOther
    if (isOtherTool) return { text: `the ${tools[prefix].name} release ${owner}`, hint: tools[prefix].hint }
    if (owner !== `${release.namespace}/${release.name}`) return { text: `the release ${owner}` }
  }
  return undefined
}

const tools = {
  'meta.helm.sh': {
    name: 'Helm',
    hint: 'which `lading list` shows only with --storage helm; go on with that release with --storage helm',
  },
  'lading.dev': {
    name: 'Lading',
    hint: 'which Helm’s storage does not have; go on with that release without --storage helm',
  },
} as const

/** Whether the history of a release proves that a live object without any release's marks is its own. */
export type OwnershipProof = (id: string, live: ObjectMeta) => boolean

/**
 * What a history proves: that the release wrote this very object, by its uid. An entry without one is only what a revision meant to
 * write. The inventory of a good revision that Helm wrote never has uids, and counts as it does for Helm.
 */
export function ownershipProof({ inventory, current }: Pick<ReleaseHistory, 'inventory' | 'current'>): OwnershipProof {
  const idOf = ({ ref }: InventoryEntry): string => objectId(ref)
  const uids = new Map(inventory.map((entry) => [idOf(entry), entry.uid]))
  const record: HelmRecord | undefined = current?.record
  const byHelm = new Set(record?.helm?.foreign === true ? record.inventory.map(idOf) : [])
  return (id, { uid }) => {
    const known = uids.get(id)
    return known === undefined ? byHelm.has(id) : known === uid
  }
}

/** Why a live object is not the release's to change, or undefined when it is. */
export function foreignReason(
  id: string,
  live: ObjectMeta,
  release: ReleaseName,
  ownership: Ownership,
  isProven: OwnershipProof,
): string | undefined {
  const mismatch = ownershipMismatch(live, ownership.guard)
  if (mismatch === undefined) return undefined
  if (otherRelease(live, release) === undefined && isProven(id, live)) return undefined
  const owner = markedOwner(live, release, ownership)
  const whose = owner === undefined ? mismatch : `it belongs to ${owner.text}`
  const next = 'allow it to be taken over, or remove it'
  const hint = owner?.hint === undefined ? '' : `, ${owner.hint}`
  return `it exists and does not belong to the release (${whose}${hint}); ${next}`
}

/** How a set is written for a release: the caller's own adoptions come on top. */
export function writingAs(
  { fieldManager, adopt }: Ownership,
  options: ForeignOptions & {
    readonly adopt?: readonly AdoptableTool[]
    readonly foreignFields?: 'keep' | 'remove'
  },
): { fieldManager: string; adopt: readonly AdoptableTool[]; removeForeign?: ForeignPolicy } {
  const all = { fieldManager, adopt: [...new Set([...adopt, ...(options.adopt ?? [])])] }
  return options.foreignFields === 'remove' ? { ...all, removeForeign: foreignPolicyOf(options) } : all
}
