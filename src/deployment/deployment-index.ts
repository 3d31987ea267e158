import { compareText, LadingError } from '../core/index.ts'
import { type AccessScope, type CallerAccess, isReadable, listableScopes } from './caller-access.ts'
import { noSuchDeployment } from './deployment-error.ts'
import type { Deployment } from './deployment.ts'
import { type DeploymentFilter, matchesFilter, type Page, pageOf } from './page.ts'

/** A deployment in an index. */
export interface IndexEntry {
  readonly id: string
  readonly name: string
  /** Whose rights decide who sees it: the object behind the deployment. */
  readonly scope: AccessScope
  /** The name of that object. */
  readonly objectName: string
  /** The deployment as answers show it; computed once. */
  describe(): Deployment
}

interface CountedScope extends AccessScope {
  count: number
}

/** Deployments in the order of their ids. A change costs one binary search, and an unfiltered page the length of the page. */
export class DeploymentIndex<Entry extends IndexEntry = IndexEntry> {
  readonly #entries = new Map<string, Entry>()
  readonly #ids = new Map<string, Set<string>>()
  readonly #scopes = new Map<string, CountedScope>()
  #sorted: Entry[] = []

  /** Adds or replaces a deployment. */
  set(entry: Entry): void {
    const at = this.#position(entry.id)
    if (this.#entries.has(entry.id)) this.#forget(entry.id)
    if (this.#sorted[at]?.id === entry.id) this.#sorted[at] = entry
    else this.#sorted.splice(at, 0, entry)
    this.#entries.set(entry.id, entry)
    this.#ids.set(entry.name, (this.#ids.get(entry.name) ?? new Set()).add(entry.id))
    const key = scopeKey(entry.scope)
    const scope = this.#scopes.get(key)
    if (scope === undefined) this.#scopes.set(key, { ...entry.scope, count: 1 })
    else scope.count++
  }

  /** Removes a deployment; nothing happens where there is none. */
  delete(id: string): void {
    if (!this.#entries.has(id)) return
    this.#forget(id)
    this.#sorted.splice(this.#position(id), 1)
  }

  get(id: string): Entry | undefined {
    return this.#entries.get(id)
  }

  /** All deployments, sorted by id. */
  all(): readonly Entry[] {
    return this.#sorted
  }

  /** The deployment that an id or a bare name means, of those that the caller may read; `deployment.not-found` for the others. */
  async find(id: string, access: CallerAccess | undefined): Promise<Entry> {
    const exact = this.#entries.get(id)
    const ids = exact === undefined ? [...(this.#ids.get(id) ?? [])].sort(compareText) : [id]
    const found = ids.map((one) => this.#entries.get(one)!)
    const readable = await Promise.all(found.map(({ scope, objectName }) => isReadable(access, scope, objectName)))
    const [entry, ...others] = found.filter((_, index) => readable[index])
    if (entry === undefined) throw noSuchDeployment(id)
    if (others.length === 0) return entry
    const all = [entry.id, ...others.map((other) => other.id)]
    throw new LadingError('deployment.ambiguous', `${id} names ${all.length} deployments: use ${all.join(' or ')}`, {
      ids: all,
    })
  }

  /** A page of the deployments that match and that the caller may list; `homes` are namespaces that match all of them. */
  async list(
    filter: DeploymentFilter,
    homes: readonly string[],
    access: CallerAccess | undefined,
  ): Promise<Page<Deployment>> {
    const matching = isUnfiltered(filter)
      ? this.#sorted
      : this.#sorted.filter((entry) => matchesFilter(entry.describe(), filter, homes))
    const { items, ...page } = pageOf(await this.#listable(matching, access), filter)
    return { ...page, items: items.map((entry) => entry.describe()) }
  }

  async #listable(entries: readonly Entry[], access: CallerAccess | undefined): Promise<readonly Entry[]> {
    if (access === undefined) return entries
    const all = entries === this.#sorted
    const keys = new Set(all ? this.#scopes.keys() : entries.map(({ scope }) => scopeKey(scope)))
    const scopes = [...keys].flatMap((key) => this.#scopes.get(key) ?? [])
    const visible = new Set([...(await listableScopes(access, scopes))].map(scopeKey))
    // While that was asked, a scope may have come that nobody was asked about.
    const shown = [...(all ? this.#scopes.keys() : keys)]
    if (shown.every((key) => visible.has(key))) return entries
    return entries.filter(({ scope }) => visible.has(scopeKey(scope)))
  }

  #forget(id: string): void {
    const entry = this.#entries.get(id)!
    this.#entries.delete(id)
    const ids = this.#ids.get(entry.name)
    ids?.delete(id)
    if (ids?.size === 0) this.#ids.delete(entry.name)
    const key = scopeKey(entry.scope)
    const scope = this.#scopes.get(key)
    if (scope !== undefined && --scope.count === 0) this.#scopes.delete(key)
  }

  #position(id: string): number {
    const last = this.#sorted.at(-1)
    // Most come in order when a cluster is read for the first time.
    if (last === undefined || compareText(last.id, id) < 0) return this.#sorted.length
    let low = 0
    let high = this.#sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareText(this.#sorted[middle]!.id, id) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Refuses to delete a package that deployments use; those that the caller may not list are only counted. */
export async function refuseInUse(
  id: string,
  users: readonly IndexEntry[],
  access: CallerAccess | undefined,
): Promise<void> {
  if (users.length === 0) return
  const listable = await listableScopes(
    access,
    users.map(({ scope }) => scope),
  )
  const ids = users.filter(({ scope }) => listable.has(scope)).map((user) => user.id)
  const hidden = users.length - ids.length
  const named = [...ids, ...(hidden > 0 ? [`${hidden} that you may not list`] : [])].join(', ')
  throw new LadingError('package.in-use', `package ${id} is used by ${named}`, { id, users: ids })
}

function isUnfiltered({ namespace, status, labels = {}, extensions = {} }: DeploymentFilter): boolean {
  const isAny = namespace === undefined && status === undefined
  return isAny && Object.keys(labels).length === 0 && Object.keys(extensions).length === 0
}

function scopeKey({ group, resource, namespace }: AccessScope): string {
  return `${group}/${resource}/${namespace}`
}
