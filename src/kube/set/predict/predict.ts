import { isDeepStrictEqual } from 'node:util'
import { gvkOf, isRecord, type KubeObject } from '../../../core/index.ts'
import { builtinSchema, type SchemaNode, validateObject } from '../../../schema/index.ts'
import type { ApplyResult } from '../../apply/apply-result.ts'
import { type FieldsV1, isOwnApply } from '../../apply/managed-fields.ts'
import { normalize } from '../../read/normalize.ts'
import { isContained, isStillDesired, owns } from './contained.ts'
import { predictableKind, type PredictableKind } from './predictable-kinds.ts'
import { areValidMarks, isPlainMetadata } from './valid-metadata.ts'

/**
 * What applying an object would do, where that is certain without asking the API server; undefined otherwise. Certain are
 * the creation of a valid object of a kind that holds data, and a change of fields whose validation is known and that nobody
 * else owns. It never says that something is wrong: the API server does, in its own words.
 */
export function predict(object: KubeObject, live: KubeObject | null, fieldManager: string): ApplyResult | undefined {
  const type = builtinSchema().type(gvkOf(object))
  if (type === undefined || !isPlainMetadata(object)) return undefined
  const desired = normalize(object)
  if (validateObject(desired, builtinSchema()).length > 0) return undefined
  if (live !== null) return predictChange(type, desired, live, fieldManager)
  if (predictableKind(desired)?.isValid(desired) !== true) return undefined
  return { action: 'created', object: desired, overridden: [], yielded: [], warnings: [] }
}

/** Groups whose objects change how the API server itself works. */
const unforeseeable: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
])

function predictChange(
  type: SchemaNode,
  desired: KubeObject,
  live: KubeObject,
  fieldManager: string,
): ApplyResult | undefined {
  const { group, kind } = gvkOf(desired)
  // The labels of a namespace decide about the Pods in it.
  if (unforeseeable.has(group) || (group === '' && kind === 'Namespace')) return undefined
  if (live.metadata.deletionTimestamp !== undefined) return undefined
  const entries = live.metadata.managedFields ?? []
  const own = entries.find((entry) => isOwnApply(entry, fieldManager))
  if (own?.fieldsV1 === undefined || own.apiVersion !== desired.apiVersion) return undefined
  const told = predictableKind(desired)
  const change = new Change(desired, live, own.fieldsV1, live['immutable'] === true ? undefined : told)
  if (!change.isOnlyKnown(type)) return undefined
  const others = entries.filter((entry) => entry !== own).map(({ fieldsV1 = {} }) => fieldsV1)
  if (change.paths.length === 0 || change.paths.some((path) => others.some((fields) => owns(fields, path)))) {
    return undefined
  }
  const { object } = change
  const inMetadata = change.paths.every(([field]) => field === 'metadata')
  if (!areValidMarks(object.metadata) || (!inMetadata && told?.isValid(asDesired(object, desired)) !== true))
    return undefined
  return { action: 'configured', object, live, overridden: [], yielded: [], warnings: [] }
}

/** The live object with what would change, under the name and marks that were checked already. */
function asDesired(object: KubeObject, { metadata }: KubeObject): KubeObject {
  return { ...object, metadata }
}

/** The difference that applying would make, as far as it lies in fields whose merge is simple. */
class Change {
  readonly #desired: KubeObject
  readonly #own: FieldsV1
  readonly #told: PredictableKind | undefined
  /** The fields that would change. */
  readonly paths: (readonly string[])[] = []
  /** The live object as it would be then. */
  readonly object: KubeObject

  constructor(desired: KubeObject, live: KubeObject, own: FieldsV1, told: PredictableKind | undefined) {
    this.#desired = desired
    this.#own = own
    this.#told = told
    const metadata = { ...live.metadata }
    for (const field of marks) this.#mergeMap(metadata, desired.metadata, ['metadata', field])
    const object: KubeObject = { ...live, metadata }
    for (const field of told?.maps ?? []) this.#mergeMap(object, desired, [field])
    for (const field of told?.wholes ?? []) {
      if (desired[field] === undefined || isDeepStrictEqual(desired[field], live[field])) continue
      object[field] = desired[field]
      this.paths.push([field])
    }
    this.object = object
  }

  /** Whether nothing changes but in those fields. */
  isOnlyKnown(type: SchemaNode): boolean {
    const maps = this.#told?.maps ?? []
    const known = ['apiVersion', 'kind', 'metadata', ...maps, ...(this.#told?.wholes ?? [])]
    const owned = this.#own['f:metadata']
    const fields = Object.entries(this.#desired).filter(([field]) => !known.includes(field))
    return (
      isStillDesired(without(this.#own, ['metadata', ...maps]), this.#desired) &&
      isStillDesired(without(isRecord(owned) ? owned : {}, marks), this.#desired.metadata) &&
      fields.every(([field, value]) => isContained(type.field(field), value, this.object[field]))
    )
  }

  #mergeMap(target: Record<string, unknown>, source: Record<string, unknown>, path: readonly string[]): void {
    const field = path.at(-1) as string
    const before = entriesOf(target[field])
    const wanted = entriesOf(source[field])
    const after = new Map(before)
    for (const [key, value] of wanted) {
      if (before.get(key) === value) continue
      after.set(key, value)
      this.paths.push([...path, key])
    }
    for (const key of ownedKeys(this.#own, path)) {
      if (wanted.get(key) !== undefined || before.get(key) === undefined) continue
      after.delete(key)
      this.paths.push([...path, key])
    }
    if (after.size > 0) target[field] = Object.fromEntries(after)
    else delete target[field]
  }
}

const marks = ['labels', 'annotations'] as const

// A map knows no keys but its own: data may be named `constructor` or `__proto__`.
function entriesOf(value: unknown): Map<string, unknown> {
  return new Map(isRecord(value) ? Object.entries(value) : [])
}

function ownedKeys(own: FieldsV1, path: readonly string[]): string[] {
  let node: unknown = own
  for (const name of path) node = isRecord(node) ? node[`f:${name}`] : undefined
  return isRecord(node) ? Object.keys(node).flatMap((name) => (name.startsWith('f:') ? [name.slice(2)] : [])) : []
}

function without(fields: FieldsV1, names: readonly string[]): FieldsV1 {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name.slice(2))))
}
