import { randomBytes } from 'node:crypto'
import { type Context, type KubeObject, type ObjectRef, toLadingError } from '../../../core/index.ts'
import { type Cluster, getMetadata, getObject, listObjects } from '../../../kube/index.ts'
import type { Compression } from '../codec.ts'
import { labels, type ObjectLayout } from './object-layout.ts'
import { indexOf, mainNameOf, type PartIndex, partNames, partObjects } from './parts.ts'
import type { RevisionKey } from '../release-store.ts'
import { labelValue } from '../revision-key.ts'
import { createOnce, removeOnce } from '../write-once.ts'

/** Where the main object of a revision stands. */
export interface MainPlace {
  readonly name: string
  readonly namespace: string
}

/** A part that a write found, for it to remove once its own record stands. */
export interface FoundPart {
  readonly name: string
  readonly namespace: string
  /** The version that was found: one that somebody else has written since is left alone. */
  readonly resourceVersion?: string
}

/** Nobody works on one record for that long: parts without a record that are older are nobody's. */
const abandonedMs = 60 * 60_000

/** Reads, writes and removes the parts of records. */
export class PartStore {
  readonly #cluster: Cluster
  readonly #layout: ObjectLayout

  constructor(cluster: Cluster, layout: ObjectLayout) {
    this.#cluster = cluster
    this.#layout = layout
  }

  /** The parts that an index names; undefined when one of them is gone, because the record changed or is damaged. */
  async read(main: MainPlace, index: PartIndex, ctx: Context): Promise<KubeObject[] | undefined> {
    const names = partNames(main.name, index)
    const parts = await Promise.all(names.map((name) => getObject(this.#cluster, this.#ref({ ...main, name }), ctx)))
    return parts.every((part) => part !== undefined) ? parts : undefined
  }

  /**
   * The parts of a revision that are there now. It is asked for *before* the index is written: whatever is there then
   * belongs to the record that is replaced, to a crashed write, or to a write that will lose against this one.
   */
  async find(main: MainPlace, ctx: Context): Promise<FoundPart[]> {
    const found = await this.#list(main.namespace, `${labels.chunkParent}=${labelValue(main.name)}`, ctx)
    return found.map((part) => foundPart(part, main))
  }

  /** Like `find`, with what crashed writes of other revisions of the same release left behind. */
  async findWithAbandoned(key: RevisionKey, main: MainPlace, ctx: Context): Promise<FoundPart[]> {
    const selector = [
      `${labels.name}=${labelValue(key.name)}`,
      `${labels.namespace}=${key.namespace}`,
      labels.chunkParent,
    ]
    const all = await this.#list(main.namespace, selector.join(','), ctx)
    const ours = all.filter(({ metadata }) => mainNameOf(metadata.name) === main.name)
    const old = all.filter(({ metadata }) => {
      const born = Date.parse(metadata.creationTimestamp ?? '')
      return mainNameOf(metadata.name) !== main.name && ctx.clock.now() - born > abandonedMs
    })
    const abandoned: KubeObject[] = []
    for (const [name, parts] of Map.groupBy(old, ({ metadata }) => mainNameOf(metadata.name))) {
      const owner = await getMetadata(this.#cluster, this.#ref({ ...main, name }), ctx)
      if (owner === undefined) abandoned.push(...parts)
    }
    return [...ours, ...abandoned].map((part) => foundPart(part, main))
  }

  /** Writes a text as parts that no index names yet, and gives the index for them. */
  async write(
    key: RevisionKey,
    main: MainPlace,
    text: string,
    how: { readonly format: PartIndex['format']; readonly compression: Compression; readonly fresh: boolean },
    ctx: Context,
  ): Promise<PartIndex> {
    // The plain names of the stored format are taken where they are free; a concurrent writer may have taken them.
    for (let generation = how.fresh ? '' : newGeneration(); ; generation = newGeneration()) {
      const index = indexOf(text, how.format, how.compression, generation)
      if (await this.#create(partObjects(this.#layout, key, main, text, index), ctx)) return index
    }
  }

  /** Removes parts that no index names. A failure here does not fail the write: the next one finds them again. */
  async remove(parts: readonly FoundPart[], ctx: Context): Promise<void> {
    const outcomes = await Promise.allSettled(
      parts.map((part) => removeOnce(this.#cluster, this.#ref(part), part.resourceVersion, ctx)),
    )
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue
      ctx.log.warn('a part of a record was left behind', { code: toLadingError(outcome.reason).code })
    }
  }

  /** Removes the parts of an index that was never written. */
  async withdraw(main: MainPlace, index: PartIndex, ctx: Context): Promise<void> {
    const parts = partNames(main.name, index).map((name) => ({ name, namespace: main.namespace }))
    await this.remove(parts, ctx)
  }

  async #create(objects: readonly KubeObject[], ctx: Context): Promise<boolean> {
    const outcomes = await Promise.allSettled(objects.map((object) => createOnce(this.#cluster, object, ctx)))
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed === undefined && outcomes.every((outcome) => outcome.status === 'fulfilled' && outcome.value))
      return true
    const made = objects.filter((_, at) => {
      const outcome = outcomes[at]
      return outcome?.status === 'fulfilled' && outcome.value !== undefined
    })
    await this.remove(
      made.map(({ metadata }) => ({ name: metadata.name, namespace: metadata.namespace ?? '' })),
      ctx,
    )
    if (failed !== undefined) throw failed.reason
    return false
  }

  async #list(namespace: string, labelSelector: string, ctx: Context): Promise<readonly KubeObject[]> {
    const query = { gvk: this.#layout.gvk, namespace, labelSelector, metadataOnly: true }
    return (await listObjects(this.#cluster, query, ctx)).items
  }

  #ref({ name, namespace }: FoundPart): ObjectRef {
    return { ...this.#layout.gvk, name, namespace }
  }
}

function foundPart({ metadata: { name, resourceVersion } }: KubeObject, { namespace }: MainPlace): FoundPart {
  return { name, namespace, ...(resourceVersion === undefined ? {} : { resourceVersion }) }
}

function newGeneration(): string {
  return randomBytes(4).toString('hex')
}
