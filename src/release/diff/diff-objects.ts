import { isDeepStrictEqual } from 'node:util'
import {
  createMask,
  gvkOf,
  isRecord,
  isSecretKind,
  type KubeObject,
  type Mask,
  maskSecret,
  stringifyJson,
} from '../../core/index.ts'
import { builtinSchema, type SchemaNode } from '../../schema/index.ts'

/** One field that differs; an absent side is a field that is added or removed. */
export interface FieldChange {
  /** `.spec.template.spec.containers[name="web"].image` */
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
  /** The release does not set the field: the server, or something that it asks, decides what it becomes. */
  readonly byServer?: true
}

/** Fields that the server keeps for itself: they differ without anybody having wanted it. */
const serverFields = new Set([
  'metadata.managedFields',
  'metadata.resourceVersion',
  'metadata.uid',
  'metadata.generation',
  'metadata.creationTimestamp',
  'metadata.selfLink',
  'status',
])

/** The fields in which two states of an object differ; list items are matched by their keys, values of Secrets are masked. */
export function diffObjects(before: KubeObject, after: KubeObject, mask: Mask = createMask()): FieldChange[] {
  const changes: FieldChange[] = []
  // Under one mask equal values stay equal, so masking first loses no difference and shows no value.
  compare(builtinSchema().type(gvkOf(after)), maskSecret(before, mask), maskSecret(after, mask), [], changes)
  return changes
}

/** The changes with those marked that the server decides: of fields that it fills in although the release does not set them. */
export function markByServer(changes: readonly FieldChange[], desired: KubeObject, answer: KubeObject): FieldChange[] {
  // What a Secret sets as stringData comes back as data.
  if (changes.length === 0 || isSecretKind(desired)) return [...changes]
  const filledIn = diffObjects(desired, answer).filter(({ before }) => before === undefined)
  const isFilledIn = (changed: string): boolean =>
    filledIn.some(({ path }) => changed.startsWith(path) && /^(?:$|[.[])/.test(changed.slice(path.length)))
  return changes.map((change) => (isFilledIn(change.path) ? { ...change, byServer: true } : change))
}

type Path = readonly string[]

function compare(
  node: SchemaNode | undefined,
  before: unknown,
  after: unknown,
  path: Path,
  found: FieldChange[],
): void {
  if (isDeepStrictEqual(before, after)) return
  if (isRecord(before) && isRecord(after)) compareMaps(node, before, after, path, found)
  else if (Array.isArray(before) && Array.isArray(after)) compareLists(node, before, after, path, found)
  else found.push(change(path, before, after))
}

function compareMaps(
  node: SchemaNode | undefined,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  path: Path,
  found: FieldChange[],
): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (path.length < 2 && serverFields.has([...path.map((step) => step.slice(1)), key].join('.'))) continue
    compare(node?.field(key), own(before, key), own(after, key), [...path, fieldStep(key)], found)
  }
}

// A key may be named as something that every JavaScript object inherits, `constructor` for example.
function own(map: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined
}

function compareLists(
  node: SchemaNode | undefined,
  before: readonly unknown[],
  after: readonly unknown[],
  path: Path,
  found: FieldChange[],
): void {
  const keys = node?.shape === 'list' && node.listType === 'map' ? node.mapKeys : undefined
  const old = keys === undefined ? undefined : indexItems(before, keys)
  const now = keys === undefined ? undefined : indexItems(after, keys)
  if (old === undefined || now === undefined) {
    compareByPlace(node, before, after, path, found)
    return
  }
  for (const step of new Set([...old.keys(), ...now.keys()])) {
    compare(node?.items(), old.get(step), now.get(step), [...path, step], found)
  }
}

// Atomic lists of one length show the items that differ; otherwise the list changed as a whole.
function compareByPlace(
  node: SchemaNode | undefined,
  before: readonly unknown[],
  after: readonly unknown[],
  path: Path,
  found: FieldChange[],
): void {
  if (before.length !== after.length) {
    found.push(change(path, before, after))
    return
  }
  before.forEach((item, index) => compare(node?.items(), item, after[index], [...path, `[${index}]`], found))
}

/** Items by key; undefined when an item has no key or shares one, so that the list is compared by place. */
function indexItems(items: readonly unknown[], keys: readonly string[]): Map<string, unknown> | undefined {
  const index = new Map<string, unknown>()
  for (const item of items) {
    if (!isRecord(item)) return undefined
    // Sorted, as the API server spells the keys in managedFields and conflicts.
    const present = keys.filter((key) => item[key] !== undefined).sort()
    const step = `[${present.map((key) => `${key}=${stringifyJson(item[key])}`).join(',')}]`
    if (present.length === 0 || index.has(step)) return undefined
    index.set(step, item)
  }
  return index
}

/** A step into a map as paths spell it. */
export function fieldStep(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? `.${key}` : `.${stringifyJson(key)}`
}

function change(path: Path, before: unknown, after: unknown): FieldChange {
  return {
    path: path.join(''),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  }
}
