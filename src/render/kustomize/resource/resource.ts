import { copyValue, isMap, newMap, textOf, type ValueMap } from '../yaml/value.ts'
import { type Gvk, makeGvk } from './gvk.ts'
import type { Origin } from './origin.ts'
import { effectiveNamespace, type ResId } from './res-id.ts'

/** Marks what came from a chart: Helm has put it into its namespace already. */
export const helmGenerated = 'internal.config.kubernetes.io/helm-generated'

/** What a generated resource does to one of the same name. */
export type Behavior = 'create' | 'replace' | 'merge'

/** A resource during a build: its content, and what the build has to remember about it. */
export class Resource {
  /** Empty once a patch has deleted the resource. */
  node: ValueMap
  /** The ids it had before each change of name, namespace or kind, the original one first. */
  previousIds: Omit<ResId, 'gvk'>[] = []
  previousKinds: string[] = []
  namePrefixes: string[] = []
  nameSuffixes: string[] = []
  /** The legacy vars that take their value from it. */
  varNames: string[] = []
  behavior: Behavior = 'create'
  needsHash = false
  origin: Origin | undefined
  transformations: Origin[] = []

  constructor(node: ValueMap) {
    this.node = node
  }

  get isDeleted(): boolean {
    for (const _ in this.node) return false
    return true
  }

  get apiVersion(): string {
    return textOf(this.node['apiVersion'])
  }

  get kind(): string {
    return textOf(this.node['kind'])
  }

  get gvk(): Gvk {
    return makeGvk(this.apiVersion, this.kind)
  }

  get name(): string {
    return textOf(this.#metadata()['name'])
  }

  set name(name: string) {
    this.metadata()['name'] = name
  }

  get namespace(): string {
    return textOf(this.#metadata()['namespace'])
  }

  set namespace(namespace: string) {
    if (namespace === '') delete this.#metadata()['namespace']
    else this.metadata()['namespace'] = namespace
  }

  /** The metadata, made where there is none. */
  metadata(): ValueMap {
    const { metadata } = this.node
    if (isMap(metadata)) return metadata
    return (this.node['metadata'] = newMap())
  }

  #metadata(): ValueMap {
    const { metadata } = this.node
    return isMap(metadata) ? metadata : newMap()
  }

  /** Labels or annotations as text. */
  texts(field: 'labels' | 'annotations'): Record<string, string> {
    const map = this.#metadata()[field]
    const texts = Object.create(null) as Record<string, string>
    if (isMap(map)) for (const [key, value] of Object.entries(map)) texts[key] = textOf(value)
    return texts
  }

  /** Replaces labels or annotations; an empty set removes the field. */
  setTexts(field: 'labels' | 'annotations', texts: Readonly<Record<string, string>>): void {
    delete this.#metadata()[field]
    if (Object.keys(texts).length > 0) this.metadata()[field] = newMap(texts)
  }

  currentId(): ResId {
    return { gvk: this.gvk, name: this.name, namespace: this.namespace }
  }

  earlierIds(): ResId[] {
    const { group, version } = this.gvk
    return this.previousIds.map((id, index) => ({ ...id, gvk: { group, version, kind: this.previousKinds[index]! } }))
  }

  originalId(): ResId {
    return this.previousIds.length > 0 ? this.earlierIds()[0]! : this.currentId()
  }

  anyIds(): ResId[] {
    return [...this.earlierIds(), this.currentId()]
  }

  /** Remembers the current id before it changes. */
  storeId(): void {
    const id = this.currentId()
    this.previousIds.push({ name: id.name, namespace: effectiveNamespace(id) })
    this.previousKinds.push(id.gvk.kind)
  }

  /** Whether the build remembers something that kustomize keeps in annotations. */
  get isTracked(): boolean {
    return this.previousIds.length > 0 || this.namePrefixes.length > 0 || this.needsHash || this.origin !== undefined
  }

  copy(): Resource {
    const copy = new Resource(copyValue(this.node))
    copy.rememberAs(this)
    return copy
  }

  /** Takes over what the build remembers about another resource. */
  rememberAs(other: Resource): void {
    this.previousIds = [...other.previousIds]
    this.previousKinds = [...other.previousKinds]
    this.namePrefixes = [...other.namePrefixes]
    this.nameSuffixes = [...other.nameSuffixes]
    this.varNames = [...other.varNames]
    this.behavior = other.behavior
    this.needsHash = other.needsHash
    this.origin = other.origin
    this.transformations = [...other.transformations]
  }
}
