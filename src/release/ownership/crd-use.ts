import {
  type Context,
  formatRef,
  isLadingError,
  isRecord,
  type KubeObject,
  LadingError,
  type LadingEvent,
  objectId,
  type ObjectMeta,
  type ObjectRef,
  refOf,
} from '../../core/index.ts'
import { type Cluster, getObject, keepPolicy, listPages, ownershipMismatch } from '../../kube/index.ts'
import { isCrd } from './crd-policy.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { ReleaseName } from '../release-name.ts'
import type { ReleaseHistory } from '../record/history.ts'
import { otherRelease } from './ownership.ts'
import type { Ownership } from '../ownership.ts'
import type { HookRecord, InventoryEntry } from '../record/record.ts'

/** A CRD with the custom resources that would be lost with it although the release does not own them. */
export interface CrdUse {
  readonly crd: ObjectRef
  readonly count: number
  /** The first of them. */
  readonly resources: readonly ObjectRef[]
  /** Why its custom resources cannot be listed: then nobody knows whose they are. */
  readonly unknown?: string
}

/** What a release has on record that decides which custom resources are its own. */
export interface OwnedRecords {
  readonly inventory: readonly InventoryEntry[]
  readonly hooks: readonly Pick<HookRecord, 'object'>[]
}

/** The records of a release as its history has them. */
export function ownedRecords({ inventory, latest, current }: ReleaseHistory): OwnedRecords {
  return { inventory, hooks: [latest, current].flatMap((stored) => stored?.record.hooks ?? []) }
}

const shownInMessage = 5
const shownInDetails = 20

/**
 * Finds custom resources of others before a CRD is deleted, for the API server deletes them with it. A release's own are those that it
 * deletes as well: marked by it or applied by it, left by its hooks, or owned by one of these through ownerReferences. What was once
 * found to be its own stays so: dependents outlive their owners for a while.
 */
export class CrdUsers {
  readonly #cluster: Cluster
  readonly #release: ReleaseName
  readonly #guard: Ownership['guard']
  readonly #ownUids: Set<string>
  readonly #hookIds: ReadonlySet<string>

  constructor({ cluster, store }: ReleaseEngine, release: ReleaseName, { inventory, hooks }: OwnedRecords) {
    this.#cluster = cluster
    this.#release = release
    this.#guard = store.ownership(release).guard
    this.#ownUids = new Set(inventory.flatMap(({ uid }) => uid ?? []))
    this.#hookIds = new Set(hooks.map(({ object }) => objectId(refOf(object))))
  }

  /** The CRDs of a set, all of them about to be deleted, that others use. */
  async find(refs: readonly ObjectRef[], ctx: Context): Promise<CrdUse[]> {
    const listed = await Promise.all(
      refs.filter(isCrd).map(async (crd) => ({ crd, ...(await this.#notOwn(crd, ctx)) })),
    )
    const all = listed.flatMap(({ items }) => items)
    // Owners of owners: until none of the rest turns out to be owned by what is the release's.
    for (let found = true; found;) {
      const owned = all.filter(({ metadata }) => !this.#isOwnUid(metadata.uid) && this.#isDependent(metadata))
      for (const { metadata } of owned) if (metadata.uid !== undefined) this.#ownUids.add(metadata.uid)
      found = owned.length > 0
    }
    return listed.flatMap(({ crd, items, unknown }): CrdUse[] => {
      if (unknown !== undefined) return [{ crd, count: 0, resources: [], unknown }]
      const others = items.filter(({ metadata }) => this.#stays(metadata) || !this.#isOwnUid(metadata.uid))
      if (others.length === 0) return []
      return [{ crd, count: others.length, resources: others.slice(0, shownInDetails).map(refOf) }]
    })
  }

  /** Custom resources that do not carry the release's marks and are not on its record, without those that are going anyway. */
  async #notOwn(crd: ObjectRef, ctx: Context): Promise<{ items: KubeObject[]; unknown?: string }> {
    const live = await getObject(this.#cluster, crd, ctx)
    if (live === undefined) return { items: [] }
    const gvk = servedKind(live)
    if (gvk === undefined) {
      const isGoing = live.metadata.deletionTimestamp !== undefined
      return isGoing ? { items: [] } : { items: [], unknown: 'no version of it is served' }
    }
    const found: KubeObject[] = []
    try {
      for await (const { items } of listPages(this.#cluster, { gvk, metadataOnly: true }, ctx)) {
        for (const item of items) if (!this.#isOwn(item)) found.push(item)
      }
    } catch (error) {
      if (isLadingError(error, 'kube.forbidden')) return { items: [], unknown: 'listing them is forbidden' }
      // Not established yet, or not any more: there can be none.
      if (!isLadingError(error, 'kube.unknown-kind', 'kube.not-found')) throw error
    }
    return { items: found }
  }

  #isOwn(item: KubeObject): boolean {
    const { metadata } = item
    if (metadata.deletionTimestamp !== undefined) return true
    if (this.#stays(metadata)) return false
    const own = ownershipMismatch(metadata, this.#guard) === undefined || this.#hookIds.has(objectId(refOf(item)))
    if (own && metadata.uid !== undefined) this.#ownUids.add(metadata.uid)
    return own
  }

  /** Whether the release itself would leave a custom resource where it is. */
  #stays(metadata: ObjectMeta): boolean {
    return keepPolicy(metadata) !== undefined || otherRelease(metadata, this.#release) !== undefined
  }

  #isOwnUid(uid: string | undefined): boolean {
    return uid !== undefined && this.#ownUids.has(uid)
  }

  #isDependent({ ownerReferences = [] }: ObjectMeta): boolean {
    return ownerReferences.some(({ uid }) => this.#isOwnUid(uid))
  }
}

/** The custom resources that stand in the way of deleting a CRD, as a reason. */
export function useReason({ count, resources, unknown }: CrdUse): string {
  if (unknown !== undefined) return `its custom resources would be deleted with it and cannot be listed: ${unknown}`
  const told = resources.slice(0, shownInMessage).map(formatRef)
  const more = count > told.length ? ` and ${count - told.length} more` : ''
  const what = count === 1 ? '1 custom resource' : `${count} custom resources`
  return `${what} that the release does not own would be deleted with it: ${told.join(', ')}${more}`
}

/** What is told of the custom resources of others that are deleted with a CRD, each by its name as far as they are shown. */
export function* destroyed(use: CrdUse): Generator<LadingEvent> {
  const { crd, count, resources, unknown } = use
  for (const ref of resources) {
    yield { type: 'warning', ref, message: `the release does not own it; it is deleted with ${formatRef(crd)}` }
  }
  const more = count - resources.length
  if (unknown !== undefined || more > 0) {
    yield { type: 'warning', ref: crd, message: unknown === undefined ? `and ${more} more go with it` : useReason(use) }
  }
}

/** The refusal to delete CRDs that others use. */
export function crdInUse(uses: readonly CrdUse[]): LadingError {
  const message = uses.map((use) => `${formatRef(use.crd)}: ${useReason(use)}`).join('; ')
  return new LadingError('release.crd-in-use', message, { crds: uses })
}

function servedKind(crd: KubeObject): { group: string; version: string; kind: string } | undefined {
  const spec = isRecord(crd['spec']) ? crd['spec'] : {}
  const { group, names, versions } = spec
  const kind = isRecord(names) ? names['kind'] : undefined
  const served = Array.isArray(versions)
    ? versions.filter(isRecord).find((version) => version['served'] === true)
    : undefined
  const version = served?.['name']
  if (typeof group !== 'string' || typeof kind !== 'string' || typeof version !== 'string') return undefined
  return { group, version, kind }
}
