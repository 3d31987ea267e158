import {
  type Context,
  isRecord,
  type KubeObject,
  LadingError,
  monotonicNow,
  objectId,
  type ObjectRef,
  runConcurrently,
} from '../../core/index.ts'
import { builtinSchema, schemaWithCrds, type SchemaSet, validateObject } from '../../schema/index.ts'
import { admissionReferences, refersTo } from './admission-references.ts'
import { applyObject, type ApplyOptions, type ApplyResult } from '../apply/apply.ts'
import type { Cluster } from '../cluster.ts'
import { RequestGroups } from './predict/group-requests.ts'
import { readLiveIndex } from '../read/live-index.ts'
import { kindKey, kindsOfCrds, type PlacedObject } from '../discovery/scope.ts'
import { objectFailure } from './set-result.ts'
import { waitForServiceAccount } from './wait-for-crds.ts'
import { stageOf } from './stages.ts'

/** One try of one object of a set. */
export interface Tried {
  readonly item: PlacedObject
  readonly result?: ApplyResult
  readonly error?: LadingError
}

const serviceAccountPatienceMs = 15_000
/** How long a kind that the set itself brought or changed may take until every part of the API server knows it. */
const newKindPatienceMs = 10_000
const changedKindPatienceMs = 3_000

/** How the objects of a set are tried. */
export interface SetRunOptions extends ApplyOptions {
  /**
   * Which objects a dry-run asks the API server about: `all` of them, or only those whose outcome is not certain without it, and
   * one of each kind and namespace of the others (default: `all`).
   */
  readonly ask?: 'all' | 'unsure'
}

/** The state of one set on its way into the cluster. */
export class SetRun {
  readonly #cluster: Cluster
  readonly #items: readonly PlacedObject[]
  readonly #options: ApplyOptions
  readonly #requestGroups: RequestGroups | undefined
  readonly #adopts: boolean
  readonly #concurrency: number
  /** What the cluster held when it was last looked at, by id. */
  readonly #live = new Map<string, KubeObject | null>()
  #looked: 'object' | 'metadata' = 'metadata'
  /** Kinds by `apiVersion kind` with the id of the CRD of the set that defines them. */
  readonly #crdOfKind: ReadonlyMap<string, string>
  readonly #namespaces: ReadonlySet<string>
  readonly #schema: SchemaSet
  /** What the dry-run made of objects, by id. */
  readonly #dryRunResults = new Map<string, ApplyResult>()
  /** What was written, by id. */
  readonly #written = new Map<string, ApplyResult['action']>()
  /** Pods whose service account was waited for. */
  readonly #awaited = new Set<string>()

  constructor(
    cluster: Cluster,
    items: readonly PlacedObject[],
    { ask = 'all', ...options }: SetRunOptions,
    concurrency: number,
  ) {
    this.#cluster = cluster
    this.#items = items
    this.#options = options
    this.#adopts = (options.adopt ?? []).length > 0 || options.removeForeign !== undefined
    this.#requestGroups = ask === 'unsure' ? new RequestGroups(cluster, options) : undefined
    this.#concurrency = concurrency
    const objects = items.map((item) => item.object)
    this.#crdOfKind = new Map([...kindsOfCrds(objects)].map(([kind, { crd }]) => [kind, crdId(crd)]))
    this.#namespaces = new Set(items.filter((item) => isNamespace(item.ref)).map((item) => item.id))
    this.#schema = schemaWithCrds(builtinSchema(), objects)
  }

  /** Reads what the cluster holds of objects: whole for a dry-run, which compares; metadata for a write, which only asks the version. */
  async look(items: readonly PlacedObject[], what: 'object' | 'metadata', ctx: Context): Promise<void> {
    const refs = items.map((item) => item.ref)
    this.#looked = what
    for (const [id, live] of await readLiveIndex(this.#cluster, refs, what, ctx)) {
      // Who owns what is most of the metadata of many objects, and only adopting looks at it.
      this.#live.set(id, live === null || what === 'object' || this.#adopts ? live : withoutOwners(live))
    }
  }

  /** Dry-runs objects at once and remembers what would become of them. */
  async *dryRun(items: readonly PlacedObject[], ctx: Context): AsyncGenerator<Tried> {
    const known = ({ id }: PlacedObject): KubeObject | null | undefined => this.#live.get(id)
    const groups = (await this.#requestGroups?.group(items, known, ctx)) ?? []
    const spared = new Set(groups.flatMap(({ others }) => [...others.keys()]))
    const refused = new Set<PlacedObject>()
    for await (const tried of this.#ask(spared.size === 0 ? items : items.filter((item) => !spared.has(item)), ctx)) {
      if (tried.error !== undefined) refused.add(tried.item)
      yield tried
    }
    for (const { first, others } of groups) {
      // What was refused for one of them may be refused for all: each gets to hear its own reason.
      if (refused.has(first)) {
        yield* this.#ask([...others.keys()], ctx)
        continue
      }
      for (const [item, result] of others) {
        this.#dryRunResults.set(item.id, result)
        yield { item, result }
      }
    }
  }

  async *#ask(items: readonly PlacedObject[], ctx: Context): AsyncGenerator<Tried> {
    for await (const tried of runConcurrently(items, this.#concurrency, (item, c) => this.#try(item, true, c), ctx)) {
      if (tried.result !== undefined) this.#dryRunResults.set(tried.item.id, tried.result)
      yield tried
    }
  }

  /** Applies objects at once; those that the dry-run proved unchanged cost nothing more. */
  async *write(items: readonly PlacedObject[], ctx: Context): AsyncGenerator<Tried> {
    for await (const tried of runConcurrently(items, this.#concurrency, (item, c) => this.#try(item, false, c), ctx)) {
      if (tried.result !== undefined) this.#written.set(tried.item.id, tried.result.action)
      yield tried
    }
  }

  /** Why the server cannot dry-run an object yet: its kind or namespace only comes into being, or changes, within the set. */
  deferral(item: PlacedObject): string | undefined {
    const crd = this.#crdOfKind.get(kindKey(item.object))
    if (crd !== undefined && !this.#written.has(crd) && this.#dryRunResults.get(crd)?.action !== 'unchanged') {
      return `known after the stage crds: the set itself ${item.served ? 'changes' : 'brings'} the kind ${item.ref.kind}`
    }
    const { namespace } = item.ref
    if (namespace === undefined) return undefined
    const id = namespaceId(namespace)
    const isComing = this.#namespaces.has(id) && !this.#written.has(id) && this.#live.get(id) === null
    return isComing ? `known after the stage namespaces: the set itself brings the namespace ${namespace}` : undefined
  }

  /**
   * Why a refusal in a dry-run is not the last word: the API server looked for something that the set itself brings, or
   * changes, in a stage before.
   */
  excuse(item: PlacedObject, refusal: LadingError): string | undefined {
    if (refusal.code !== 'kube.forbidden' && refusal.code !== 'kube.not-found') return undefined
    const needed = admissionReferences(item.object)
    if (needed.length === 0) return undefined
    const coming = this.#items.find(
      (other) =>
        needed.some((reference) => refersTo(reference, other.object)) &&
        !this.#written.has(other.id) &&
        this.#dryRunResults.get(other.id)?.action !== 'unchanged',
    )
    if (coming === undefined) return undefined
    const does = this.#live.get(coming.id) === null ? 'brings' : 'changes'
    return `known after the stage ${stageOf(coming.ref)}: the set itself ${does} ${coming.ref.kind} ${coming.ref.name}`
  }

  /** What the CRDs of the set say against a custom resource whose kind the server does not know yet. */
  validateOffline(item: PlacedObject): LadingError | undefined {
    if (!this.#crdOfKind.has(kindKey(item.object))) return undefined
    const strict = (this.#options.fieldValidation ?? 'Strict') === 'Strict'
    const findings = validateObject(item.object, this.#schema).filter(
      (finding) => strict || finding.reason !== 'UnknownField',
    )
    if (findings.length === 0) return undefined
    const message = findings.map((finding) => `${finding.path}: ${finding.message}`).join('; ')
    const causes = findings.map(({ path, reason, message: text }) => ({ reason, field: path, message: text }))
    return new LadingError('kube.invalid', `${item.ref.kind} ${item.ref.name} is invalid: ${message}`, { causes })
  }

  async #try(item: PlacedObject, dryRun: boolean, ctx: Context): Promise<Tried> {
    const expected = dryRun ? undefined : this.#dryRunResults.get(item.id)
    if (expected?.action === 'unchanged') return { item, result: expected }
    const options = { ...this.#options, dryRun, ...(expected === undefined ? this.#known(item) : knownBy(expected)) }
    const patience = monotonicNow(ctx.clock) + this.#patienceMs(item)
    for (let delay = 50; ; delay = Math.min(delay * 2, 1_000)) {
      try {
        return { item, result: await applyObject(this.#cluster, item.object, options, ctx) }
      } catch (error) {
        const failure = objectFailure(error)
        const again = monotonicNow(ctx.clock) + delay < patience && this.#mayPass(item, failure)
        if (!again && !(await this.#accountArrived(item, failure, ctx))) return { item, error: failure }
        await ctx.clock.sleep(delay, ctx.signal)
      }
    }
  }

  #known(item: PlacedObject): Pick<ApplyOptions, 'live' | 'liveVersion' | 'liveMetadata'> {
    const live = this.#live.get(item.id)
    if (live === undefined) return {}
    if (live === null) return { liveVersion: null }
    if (this.#looked === 'object') return { live }
    const { resourceVersion } = live.metadata
    if (resourceVersion === undefined) return {}
    return { liveVersion: resourceVersion, ...(this.#adopts && { liveMetadata: live }) }
  }

  #patienceMs(item: PlacedObject): number {
    const crd = this.#crdOfKind.get(kindKey(item.object))
    const action = crd === undefined ? undefined : this.#written.get(crd)
    if (action === undefined || action === 'unchanged') return 0
    return action === 'configured' ? changedKindPatienceMs : newKindPatienceMs
  }

  /** Parts of an API server, and other servers beside it, learn of a new or changed CRD a moment later. */
  #mayPass(item: PlacedObject, failure: LadingError): boolean {
    if (failure.code === 'kube.unknown-kind') return true
    if (failure.code === 'kube.not-found') return failure.details.name === undefined
    return item.served && (failure.code === 'kube.bad-request' || failure.code === 'kube.invalid')
  }

  /** A Pod is refused until controllers have made the service account of its new namespace. */
  async #accountArrived(item: PlacedObject, failure: LadingError, ctx: Context): Promise<boolean> {
    const { kind, group, namespace } = item.ref
    if (kind !== 'Pod' || group !== '' || namespace === undefined || failure.code !== 'kube.forbidden') return false
    if (this.#written.get(namespaceId(namespace)) !== 'created' || this.#awaited.has(item.id)) return false
    this.#awaited.add(item.id)
    const spec = isRecord(item.object['spec']) ? item.object['spec'] : {}
    const name = typeof spec['serviceAccountName'] === 'string' ? spec['serviceAccountName'] : 'default'
    return await waitForServiceAccount(this.#cluster, namespace, name, serviceAccountPatienceMs, ctx)
  }
}

function withoutOwners({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { managedFields: _, ...rest } = metadata
  return { apiVersion, kind, metadata: rest }
}

function knownBy({ action, object, live }: ApplyResult): Pick<ApplyOptions, 'live' | 'liveVersion'> {
  if (action === 'created') return { liveVersion: null }
  const { resourceVersion } = object.metadata
  return { live, liveVersion: resourceVersion }
}

function isNamespace(ref: ObjectRef): boolean {
  return ref.kind === 'Namespace' && ref.group === ''
}

function namespaceId(name: string): string {
  return objectId({ group: '', kind: 'Namespace', name })
}

function crdId(name: string): string {
  return objectId({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition', name })
}
