import {
  type Context,
  formatRef,
  isLadingError,
  type KubeObject,
  LadingError,
  type ObjectRef,
  stringifyJson,
} from '../../../core/index.ts'
import { ladingOwnership, type Ownership } from '../../ownership.ts'
import type { ReleaseName } from '../../release-name.ts'
import { type Cluster, getObject, listObjects } from '../../../kube/index.ts'
import type { ReleaseRecord } from '../../record/record.ts'
import { type Compression, decodeRecord, decodeText, encodeRecord, encodeText } from '../codec.ts'
import { labels, mainObject, objectName, type ObjectLayout, summaryOf } from './object-layout.ts'
import { type MainPlace, PartStore } from './part-store.ts'
import { joinParts, largestText, type PartIndex, readIndex } from './parts.ts'
import type { ReleaseStore, RevisionKey, RevisionSummary, StoredRecord } from '../release-store.ts'
import {
  checkKey,
  checkName,
  checkNamespace,
  checkSameRevision,
  inOrder,
  labelValue,
  sameRevision,
} from '../revision-key.ts'
import { changedError, existsError, tooLargeError, unreadableError } from '../store-error.ts'
import { summaryOfRecord } from '../summary-of-record.ts'
import { createOnce, removeOnce, replaceOnce } from '../write-once.ts'

/** What becomes of a record that one object cannot hold. */
export type LargeReleaseStrategy = 'chunked' | 'separate-manifests' | 'fail'

/** How records are kept in objects of a cluster. */
export interface KubeStoreOptions {
  /** How records are compressed (default: `zstd`). */
  readonly compression?: Compression
  /** How a large record is held (default: `chunked`). */
  readonly largeReleaseStrategy?: LargeReleaseStrategy
  /** Keeps the records of all namespaces in this one (default: each in its own). */
  readonly storageNamespace?: string
}

/** A store over the objects of a cluster. */
export function createKubeStore(cluster: Cluster, layout: ObjectLayout, options: KubeStoreOptions = {}): ReleaseStore {
  if (options.storageNamespace !== undefined) checkNamespace(options.storageNamespace)
  return new KubeStore(cluster, layout, options)
}

/** What goes into the objects of a record. */
interface Payload {
  readonly texts: Readonly<Record<string, string>>
  /** A text for parts, whose index is still to be added to the texts. */
  readonly spread?: { readonly text: string; readonly format: PartIndex['format'] }
}

class KubeStore implements ReleaseStore {
  readonly driver: 'secret' | 'configmap'
  readonly #cluster: Cluster
  readonly #layout: ObjectLayout
  readonly #parts: PartStore
  readonly #compression: Compression
  readonly #strategy: LargeReleaseStrategy
  readonly #storageNamespace: string | undefined

  constructor(cluster: Cluster, layout: ObjectLayout, options: KubeStoreOptions) {
    this.driver = layout.driver
    this.#cluster = cluster
    this.#layout = layout
    this.#parts = new PartStore(cluster, layout)
    this.#compression = options.compression ?? 'zstd'
    this.#strategy = options.largeReleaseStrategy ?? 'chunked'
    this.#storageNamespace = options.storageNamespace
  }

  ownership(release: ReleaseName): Ownership {
    return ladingOwnership(release)
  }

  prepare(record: ReleaseRecord): ReleaseRecord {
    return record
  }

  async get(key: RevisionKey, ctx: Context): Promise<StoredRecord | undefined> {
    checkKey(key)
    const ref = this.#ref(this.#place(key))
    const where = formatRef(ref)
    let seen: string | undefined
    for (;;) {
      const object = await getObject(this.#cluster, ref, ctx)
      if (object === undefined) return undefined
      const record = await this.#read(object, where, ctx)
      if (record !== undefined) {
        if (!sameRevision(record, key)) throw unreadableError(where, 'it holds the record of another revision')
        return { record, token: tokenOf(object) }
      }
      const { resourceVersion } = object.metadata
      // Parts go only after the index has turned away from them: a missing one under the same index is a loss.
      if (resourceVersion === seen) throw unreadableError(where, 'a part of it is missing')
      seen = resourceVersion
    }
  }

  async history(name: string, namespace: string, ctx: Context): Promise<readonly RevisionSummary[]> {
    checkName(name, namespace)
    const summaries = await this.#list(namespace, [`${labels.name}=${labelValue(name)}`], ctx)
    return summaries.filter((summary) => summary.name === name)
  }

  async list(namespace: string | undefined, ctx: Context): Promise<readonly RevisionSummary[]> {
    if (namespace !== undefined) checkNamespace(namespace)
    return this.#list(namespace, [], ctx)
  }

  async create(record: ReleaseRecord, ctx: Context): Promise<StoredRecord> {
    checkKey(record)
    const payload = this.#payload(record)
    const place = this.#place(record)
    const found = await this.#parts.findWithAbandoned(record, place, ctx)
    const created = await this.#write(record, payload, place, found.length === 0, ctx, (object) =>
      createOnce(this.#cluster, object, ctx),
    )
    if (created === undefined) throw existsError(record)
    await this.#parts.remove(found, ctx)
    return { record, token: tokenOf(created) }
  }

  async update(stored: StoredRecord, next: ReleaseRecord, ctx: Context): Promise<StoredRecord> {
    checkSameRevision(stored.record, next)
    const payload = this.#payload(next)
    const place = this.#place(next)
    // Also for small records: a crash may have left parts of a large one that never came to be.
    const found = await this.#parts.find(place, ctx)
    const updated = await this.#write(next, payload, place, found.length === 0, ctx, (object) => {
      const metadata = { ...object.metadata, resourceVersion: stored.token }
      return replaceOnce(this.#cluster, { ...object, metadata }, ctx)
    })
    if (updated === undefined) throw changedError(next)
    await this.#parts.remove(found, ctx)
    return { record: next, token: tokenOf(updated) }
  }

  async delete(stored: StoredRecord, ctx: Context): Promise<void> {
    const place = this.#place(stored.record)
    const found = await this.#parts.find(place, ctx)
    if (!(await removeOnce(this.#cluster, this.#ref(place), stored.token, ctx))) throw changedError(stored.record)
    await this.#parts.remove(found, ctx)
  }

  /** Writes the parts, then the main object; parts of a write that did not happen are withdrawn. */
  async #write<T>(
    record: ReleaseRecord,
    payload: Payload,
    place: MainPlace,
    fresh: boolean,
    ctx: Context,
    send: (object: KubeObject) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const build = (texts: Payload['texts']): KubeObject =>
      mainObject(this.#layout, record, place, texts, this.#compression)
    if (payload.spread === undefined) return send(build(payload.texts))
    const how = { format: payload.spread.format, compression: this.#compression, fresh }
    const index = await this.#parts.write(record, place, payload.spread.text, how, ctx)
    let written: T | undefined
    try {
      written = await send(build({ ...payload.texts, index: stringifyJson(index) }))
    } catch (error) {
      // After a lost answer the index may be there: its parts are left for the next write to judge.
      if (refused(error)) await this.#parts.withdraw(place, index, ctx)
      throw error
    }
    if (written === undefined) await this.#parts.withdraw(place, index, ctx)
    return written
  }

  #payload(record: ReleaseRecord): Payload {
    const text = encodeRecord(record, this.#compression)
    if (text.length <= largestText) return { texts: { release: text } }
    switch (this.#strategy) {
      case 'chunked':
        return { texts: {}, spread: { text, format: 'chunked' } }
      case 'separate-manifests': {
        const release = encodeRecord({ ...record, manifest: '' }, this.#compression)
        if (release.length > largestText) {
          throw tooLargeError(record, release.length, largestText, 'even without its manifest; chunks would hold it')
        }
        const manifest = encodeText(record.manifest, this.#compression)
        return { texts: { release }, spread: { text: manifest, format: 'separate-manifests' } }
      }
      case 'fail':
        throw tooLargeError(record, text.length, largestText, 'the strategy for large releases is to fail')
    }
  }

  /** The record of a main object; undefined when a part is gone. */
  async #read(object: KubeObject, where: string, ctx: Context): Promise<ReleaseRecord | undefined> {
    const release = this.#layout.text(object, 'release')
    const indexText = this.#layout.text(object, 'index')
    if (indexText === undefined) {
      if (release === undefined) throw unreadableError(where, 'it holds no release')
      return decodeRecord(release, where)
    }
    const index = readIndex(indexText, where)
    const place = { name: object.metadata.name, namespace: object.metadata.namespace ?? '' }
    const parts = await this.#parts.read(place, index, ctx)
    if (parts === undefined) return undefined
    const text = joinParts(this.#layout, parts, index, where)
    if (index.format === 'chunked') return decodeRecord(text, where)
    if (release === undefined) throw unreadableError(where, 'it holds no release beside its manifest')
    return { ...decodeRecord(release, where), manifest: decodeText(text, where) }
  }

  async #list(namespace: string | undefined, selectors: readonly string[], ctx: Context): Promise<RevisionSummary[]> {
    const selector = [`${labels.managedBy}=sherpack`, `!${labels.chunkParent}`, ...selectors]
    if (this.#storageNamespace !== undefined && namespace !== undefined)
      selector.push(`${labels.namespace}=${namespace}`)
    const scope = this.#storageNamespace ?? namespace
    const query = { gvk: this.#layout.gvk, labelSelector: selector.join(','), metadataOnly: true }
    const { items } = await listObjects(
      this.#cluster,
      { ...query, ...(scope !== undefined && { namespace: scope }) },
      ctx,
    )
    const summaries: RevisionSummary[] = []
    for (const item of items) {
      const summary = summaryOf(item)
      if (summary === undefined) continue
      const told = summary.status !== 'unknown' || item.metadata.labels?.[labels.status] !== undefined
      const shown = told ? summary : await this.#summaryByReading(summary, ctx)
      summaries.push(selectors.length === 0 ? shown : { ...shown, token: tokenOf(item) })
    }
    return inOrder(summaries)
  }

  /** Sherpack puts no status into labels: its records are read, and those that cannot be are told as such. */
  async #summaryByReading(summary: RevisionSummary, ctx: Context): Promise<RevisionSummary> {
    try {
      const stored = await this.get(summary, ctx)
      return stored === undefined ? summary : summaryOfRecord(stored.record)
    } catch (error) {
      if (isLadingError(error, 'release.unreadable', 'usage.invalid')) return summary
      throw error
    }
  }

  #place(key: RevisionKey): MainPlace {
    const namespace = this.#storageNamespace ?? key.namespace
    return { name: objectName(key, namespace), namespace }
  }

  #ref(place: MainPlace): ObjectRef {
    return { ...this.#layout.gvk, ...place }
  }
}

function tokenOf({ metadata }: Pick<KubeObject, 'metadata'>): string {
  return metadata.resourceVersion ?? ''
}

/** Whether the API server has said no, so that nothing was written. */
function refused(error: unknown): boolean {
  return error instanceof LadingError && error.details.status !== undefined && error.details.status < 500
}
