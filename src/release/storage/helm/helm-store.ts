import {
  type Context,
  formatRef,
  type KubeObject,
  LadingError,
  type ObjectRef,
  stringifyJson,
} from '../../../core/index.ts'
import { readObjects } from '../../../core/yaml/index.ts'
import { type Cluster, getObject, listObjects, placeObjects } from '../../../kube/index.ts'
import { objectHash } from '../../record/object-hash.ts'
import type { InventoryEntry, ReleaseRecord } from '../../record/record.ts'
import { helmOwnership, type Ownership } from '../../ownership.ts'
import type { ReleaseName } from '../../release-name.ts'
import { encodeText } from '../codec.ts'
import { asHelmRecord } from './helm-record.ts'
import { type HelmRecord, toHelm } from './helm-release.ts'
import { helmStatus, statusOfHelm } from './helm-state.ts'
import { readShown, secretLayout, shownAnnotations } from '../kube/object-layout.ts'
import { carriedLabels, shownLabels } from '../release-labels.ts'
import { readHelmRelease } from './read-helm-release.ts'
import type { ReleaseStore, RevisionKey, RevisionOrigin, RevisionSummary, StoredRecord } from '../release-store.ts'
import { checkKey, checkName, checkNamespace, checkSameRevision, inOrder, sameRevision } from '../revision-key.ts'
import { changedError, existsError, tooLargeError, unreadableError } from '../store-error.ts'
import { createOnce, removeOnce, replaceOnce } from '../write-once.ts'

/** The API refuses Secrets with more data. */
const largestSecret = 1024 * 1024

/**
 * Keeps records where and how Helm does, so that each can go on with what the other installed. A revision that Helm
 * wrote has no inventory of ours: it is made from its manifest, without what only an apply could know.
 */
export function createHelmStore(cluster: Cluster): ReleaseStore {
  return new HelmStore(cluster)
}

class HelmStore implements ReleaseStore {
  readonly driver = 'helm'
  readonly #cluster: Cluster

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  ownership(release: ReleaseName): Ownership {
    return helmOwnership(release)
  }

  prepare(record: ReleaseRecord, { chart, previous }: RevisionOrigin): ReleaseRecord {
    return asHelmRecord(record, chart, previous)
  }

  async get(key: RevisionKey, ctx: Context): Promise<StoredRecord | undefined> {
    checkKey(key)
    const ref = refOf(key)
    const where = formatRef(ref)
    const object = await getObject(this.#cluster, ref, ctx)
    if (object === undefined) return undefined
    const text = secretLayout.text(object, 'release')
    if (text === undefined) throw unreadableError(where, 'it holds no release')
    const { record, complete } = readHelmRelease(text, object.metadata.labels ?? {}, where)
    if (!sameRevision(record, key)) throw unreadableError(where, 'it holds the record of another revision')
    const inventory = complete ? record.inventory : await this.#inventory(record, where, ctx)
    const hooks = await this.#placeHooks(record, ctx)
    return { record: { ...record, inventory, hooks }, token: tokenOf(object) }
  }

  async history(name: string, namespace: string, ctx: Context): Promise<readonly RevisionSummary[]> {
    checkName(name, namespace)
    checkHelmName(name)
    return inOrder((await this.#list(namespace, `owner=helm,name=${name}`, ctx)).flatMap(summaryWithToken))
  }

  async list(namespace: string | undefined, ctx: Context): Promise<readonly RevisionSummary[]> {
    if (namespace !== undefined) checkNamespace(namespace)
    return inOrder((await this.#list(namespace, 'owner=helm', ctx)).flatMap((item) => summaryOf(item) ?? []))
  }

  async create(record: ReleaseRecord, ctx: Context): Promise<StoredRecord> {
    checkKey(record)
    checkHelmName(record.name)
    const created = await createOnce(this.#cluster, secretOf(record, { createdAt: seconds(ctx) }), ctx)
    if (created === undefined) throw existsError(record)
    return { record, token: tokenOf(created) }
  }

  async update(stored: StoredRecord, next: ReleaseRecord, ctx: Context): Promise<StoredRecord> {
    checkSameRevision(stored.record, next)
    const { helm } = stored.record as HelmRecord
    // A caller that builds its record anew still must not lose the chart that Helm may need.
    const whole: HelmRecord = helm === undefined ? next : { helm, ...next }
    const { resourceVersion, createdAt } = readToken(stored.token)
    const secret = secretOf(whole, { ...(createdAt !== '' && { createdAt }), modifiedAt: seconds(ctx) })
    const metadata = { ...secret.metadata, resourceVersion }
    const updated = await replaceOnce(this.#cluster, { ...secret, metadata }, ctx)
    if (updated === undefined) throw changedError(next)
    return { record: next, token: tokenOf(updated) }
  }

  async delete(stored: StoredRecord, ctx: Context): Promise<void> {
    const { resourceVersion } = readToken(stored.token)
    const removed = await removeOnce(this.#cluster, refOf(stored.record), resourceVersion, ctx)
    if (!removed) throw changedError(stored.record)
  }

  async #list(namespace: string | undefined, labelSelector: string, ctx: Context): Promise<readonly KubeObject[]> {
    const query = { gvk: secretLayout.gvk, labelSelector, metadataOnly: true }
    const scope = namespace === undefined ? {} : { namespace }
    return (await listObjects(this.#cluster, { ...query, ...scope }, ctx)).items
  }

  /** Hooks of a chart stand in the record as templates gave them, which mostly leave the namespace to whoever installs. */
  async #placeHooks({ hooks, namespace, helm }: HelmRecord, ctx: Context): Promise<ReleaseRecord['hooks']> {
    const unplaced = hooks.filter(({ object }) => object.metadata.namespace === undefined).map(({ object }) => object)
    if (helm?.chart === undefined || unplaced.length === 0) return hooks
    const { placed } = await placeObjects(this.#cluster, unplaced, namespace, ctx)
    const byId = new Map(placed.map(({ object }) => [hookId(object), object]))
    return hooks.map((hook) => ({ ...hook, object: byId.get(hookId(hook.object)) ?? hook.object }))
  }

  async #inventory(record: ReleaseRecord, where: string, ctx: Context): Promise<InventoryEntry[]> {
    const objects = objectsOf(record.manifest, where)
    const { placed, failures } = await placeObjects(this.#cluster, objects, record.namespace, ctx)
    const known = placed.map(({ ref, object }) => ({ ref, hash: objectHash(object) }))
    // A kind that is no longer served can hold nothing any more, but the record still names it.
    return [...known, ...failures.map(({ ref }) => ({ ref, hash: '' }))]
  }
}

function hookId({ apiVersion, kind, metadata }: KubeObject): string {
  return `${apiVersion} ${kind} ${metadata.name}`
}

function objectsOf(manifest: string, where: string): KubeObject[] {
  try {
    return readObjects(manifest)
  } catch (error) {
    throw unreadableError(where, 'its manifest is no YAML of objects', error)
  }
}

/** Helm's own limit, which its commands hold every name to. */
function checkHelmName(name: string): void {
  if (name.length <= 53) return
  throw new LadingError('usage.invalid', `${name} is too long for Helm, which allows 53 characters`, { name })
}

const namePattern = /^sh\.helm\.release\.v1\.(.+)\.v([1-9]\d*)$/

function refOf({ name, namespace, version }: RevisionKey): ObjectRef {
  return { ...secretLayout.gvk, namespace, name: `sh.helm.release.v1.${name}.v${version}` }
}

function secretOf(record: ReleaseRecord, times: Readonly<Record<string, string>>): KubeObject {
  const text = encodeText(stringifyJson(toHelm(record)), 'gzip')
  if (text.length > largestSecret) {
    throw tooLargeError(record, text.length, largestSecret, 'Helm keeps a record in one Secret')
  }
  const { name, namespace } = refOf(record)
  const labels = {
    ...carriedLabels(record.labels),
    ...times,
    name: record.name,
    owner: 'helm',
    status: helmStatus(record.state),
    version: String(record.version),
  }
  // Helm leaves them out when it writes the revision again, so they never tell of an older one.
  const annotations = shownAnnotations(record)
  const metadata = { name, ...(namespace !== undefined && { namespace }), labels, annotations }
  return { apiVersion: 'v1', kind: 'Secret', metadata, ...secretLayout.fields({ release: text }, 'helm.sh/release.v1') }
}

function summaryWithToken(object: KubeObject): RevisionSummary[] {
  const summary = summaryOf(object)
  return summary === undefined ? [] : [{ ...summary, token: tokenOf(object) }]
}

function summaryOf({ metadata }: KubeObject): RevisionSummary | undefined {
  const [, name, version] = namePattern.exec(metadata.name) ?? []
  if (name === undefined) return undefined
  const { labels = {}, namespace = '' } = metadata
  const status = statusOfHelm(labels['status'])
  // Helm's labels createdAt and modifiedAt tell when the Secret was written, not when the revision was deployed.
  return { name, namespace, version: Number(version), status, ...readShown(metadata), ...shownLabels(labels) }
}

function seconds(ctx: Context): string {
  return String(Math.floor(ctx.clock.now() / 1000))
}

function tokenOf({ metadata }: Pick<KubeObject, 'metadata'>): string {
  return `${metadata.resourceVersion}/${metadata.labels?.['createdAt'] ?? ''}`
}

function readToken(token: string): { resourceVersion: string; createdAt: string } {
  const [resourceVersion = '', createdAt = ''] = token.split('/')
  return { resourceVersion, createdAt }
}
