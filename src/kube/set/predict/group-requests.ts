import { type Context, gvkOf, type KubeObject } from '../../../core/index.ts'
import { type AdoptableTool, takenEntries } from '../../apply/adopt.ts'
import type { ApplyResult } from '../../apply/apply-result.ts'
import type { Cluster } from '../../cluster.ts'
import type { ForeignPolicy } from '../../apply/foreign-fields.ts'
import type { PlacedObject } from '../../discovery/scope.ts'
import { type AdmissionControl, readAdmissionControl } from './admission-control.ts'
import { predict } from './predict.ts'
import { GrantingRights } from './granting-rights.ts'

/** Objects whose outcome is certain when that of the first of them is confirmed. */
export interface ToldGroup {
  /** The one that the API server is asked about: whether we may write there, and whether there is room. */
  readonly first: PlacedObject
  readonly others: ReadonlyMap<PlacedObject, ApplyResult>
}

/** From this many objects on whose outcome can be told, finding out what else decides is cheaper than asking about each. */
const worthwhileFrom = 20

/** Finds the objects of a set that the API server need not be asked about one by one. */
export class RequestGroups {
  readonly #cluster: Cluster
  readonly #fieldManager: string
  readonly #adopt: readonly AdoptableTool[]
  readonly #removeForeign: ForeignPolicy | undefined
  readonly #rights: GrantingRights
  #admission: Promise<AdmissionControl> | undefined

  constructor(
    cluster: Cluster,
    options: { fieldManager?: string; adopt?: readonly AdoptableTool[]; removeForeign?: ForeignPolicy },
  ) {
    this.#cluster = cluster
    this.#fieldManager = options.fieldManager ?? 'lading'
    this.#adopt = options.adopt ?? []
    this.#removeForeign = options.removeForeign
    this.#rights = new GrantingRights(cluster)
  }

  /** Groups of objects of one kind, namespace and action; what is in none has to be asked about. */
  async group(
    items: readonly PlacedObject[],
    live: (item: PlacedObject) => KubeObject | null | undefined,
    ctx: Context,
  ): Promise<ToldGroup[]> {
    const told: { item: PlacedObject; result: ApplyResult }[] = []
    for (const item of items) {
      const result = this.#predict(item, live(item))
      if (result !== undefined) told.push({ item, result })
    }
    if (told.length < worthwhileFrom) return []
    const groups = new Map<string, Map<PlacedObject, ApplyResult>>()
    for (const { item, result } of told) {
      if (!(await this.#isLeftAlone(item, ctx))) continue
      const key = `${item.object.apiVersion} ${item.ref.kind} ${item.ref.namespace ?? ''} ${result.action}`
      groups.set(key, (groups.get(key) ?? new Map()).set(item, result))
    }
    return [...groups.values()].map((members) => {
      const [first = told[0]?.item as PlacedObject] = members.keys()
      members.delete(first)
      return { first, others: members }
    })
  }

  #predict(item: PlacedObject, live: KubeObject | null | undefined): ApplyResult | undefined {
    if (live === undefined || !item.served) return undefined
    if (live !== null && this.#takesOver(live, item.object)) return undefined
    return predict(item.object, live, this.#fieldManager)
  }

  #takesOver(live: KubeObject, desired: KubeObject): boolean {
    const policy = this.#removeForeign
    const takeover = { fieldManager: this.#fieldManager, tools: this.#adopt }
    return (
      takenEntries(live, policy === undefined ? takeover : { ...takeover, foreign: { policy, desired } }).length > 0
    )
  }

  /** Whether neither admission nor the limits of our own rights can have a say. */
  async #isLeftAlone({ object }: PlacedObject, ctx: Context): Promise<boolean> {
    this.#admission ??= readAdmissionControl(this.#cluster, ctx)
    const resource = await this.#cluster.discovery.find(gvkOf(object), ctx)
    if (resource === undefined || (await this.#admission)(resource)) return false
    return await this.#rights.mayGrant(object, ctx)
  }
}
