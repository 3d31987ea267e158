import { LadingError } from '../../../core/index.ts'
import { formatId, idKey, type ResId } from './res-id.ts'
import type { Resource } from './resource.ts'

/** The resources of a build in the order in which they were loaded. */
export class ResMap {
  #resources: Resource[] = []
  /** How many resources have each current id; rebuilt on demand after a transformation. */
  #index: Map<string, number> | undefined
  /** The resources that have, or had, each name; rebuilt on demand as well, so that finding one takes no longer the more there are. */
  #byName: Map<string, Resource[]> | undefined

  get resources(): readonly Resource[] {
    return this.#resources
  }

  /** Adds a resource; one with the same id must not be there. */
  append(resource: Resource): void {
    const id = resource.currentId()
    const index = (this.#index ??= this.#countIds())
    const key = idKey(id)
    if (index.has(key)) {
      throw new LadingError('object.duplicate', `may not add resource with an already registered id: ${formatId(id)}`, {
        id: formatId(id),
      })
    }
    this.#resources.push(resource)
    index.set(key, 1)
    if (this.#byName !== undefined) addNames(this.#byName, resource)
  }

  appendAll(resources: Iterable<Resource>): void {
    for (const resource of resources) this.append(resource)
  }

  /** Puts one resource in the place of another. */
  replace(old: Resource, resource: Resource): void {
    this.#resources[this.#resources.indexOf(old)] = resource
    this.changed()
  }

  /** Sets the whole list; with `check`, ids must then be unique. */
  reset(resources: readonly Resource[], check = false): void {
    this.#resources = check ? [] : [...resources]
    this.changed()
    if (check) this.appendAll(resources)
  }

  /** To be called after names, namespaces or kinds changed. */
  changed(): void {
    this.#index = undefined
    this.#byName = undefined
  }

  dropDeleted(): void {
    if (this.#resources.some((resource) => resource.isDeleted)) {
      this.reset(this.#resources.filter((resource) => !resource.isDeleted))
    }
  }

  /** The resources that have, or had, the given id. */
  withAnyId(id: ResId): Resource[] {
    const key = idKey(id)
    const candidates = (this.#byName ??= this.#indexNames()).get(id.name) ?? []
    return candidates.filter((resource) => !resource.isDeleted && resource.anyIds().some((each) => idKey(each) === key))
  }

  /** The current id that more than one resource has. */
  duplicateId(): ResId | undefined {
    const seen = new Set<string>()
    for (const resource of this.#resources) {
      const id = resource.currentId()
      const key = idKey(id)
      if (seen.has(key)) return id
      seen.add(key)
    }
    return undefined
  }

  #indexNames(): Map<string, Resource[]> {
    const index = new Map<string, Resource[]>()
    for (const resource of this.#resources) addNames(index, resource)
    return index
  }

  #countIds(): Map<string, number> {
    const index = new Map<string, number>()
    for (const resource of this.#resources) {
      const key = idKey(resource.currentId())
      index.set(key, (index.get(key) ?? 0) + 1)
    }
    return index
  }
}

function addNames(index: Map<string, Resource[]>, resource: Resource): void {
  for (const name of new Set([...resource.previousIds.map((id) => id.name), resource.name])) {
    const known = index.get(name)
    if (known === undefined) index.set(name, [resource])
    else known.push(resource)
  }
}
