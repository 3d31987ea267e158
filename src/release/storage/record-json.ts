import { isLadingError, isRecord, type LadingError, parseJson, stringifyJson } from '../../core/index.ts'
import { readObjects } from '../../core/yaml/index.ts'
import type { HookRecord, ReleaseRecord, ReleaseState, ReleaseStatus } from '../record/record.ts'
import { unreadableError } from './store-error.ts'

/** The record as its JSON keeps it: hooks hold their object as text under `resource`, which Sherpack reads too. */
export function toStored(record: ReleaseRecord): Record<string, unknown> {
  return { ...record, hooks: record.hooks.map(toStoredHook) }
}

/** The record that JSON holds. What Lading does not know is kept; what Sherpack left out is filled in. */
export function fromStored(value: unknown, where: string): ReleaseRecord {
  if (!isRecord(value)) throw unreadableError(where, 'it holds no record')
  const text = (field: string): string => {
    const found = value[field]
    if (typeof found !== 'string') throw missing(field, where)
    return found
  }
  const { notes, description, version, ...rest } = value
  if (typeof version !== 'number') throw missing('version', where)
  if (!Number.isSafeInteger(version) || version < 1) throw unreadableError(where, 'version is no revision')
  return {
    ...rest,
    name: text('name'),
    namespace: text('namespace'),
    version,
    state: stateOf(value['state'], where),
    pack: packOf(value['pack'], where),
    values: mapOf(value['values']),
    valuesProvenance: provenanceOf(value['valuesProvenance']),
    manifest: text('manifest'),
    hooks: listOf(value['hooks'], 'hooks', where).map((hook) => hookOf(hook, where)),
    inventory: inventoryOf(value['inventory'], where),
    labels: mapOf(value['labels']) as Record<string, string>,
    createdAt: text('createdAt'),
    updatedAt: text('updatedAt'),
    // Rust writes what is absent as null.
    ...(typeof notes === 'string' && { notes }),
    ...(typeof description === 'string' && { description }),
  }
}

/** The state that JSON holds. */
export function stateOf(value: unknown, where: string): ReleaseState {
  if (!isRecord(value) || !isStatus(value['status'])) throw unreadableError(where, 'it has no known state')
  const { status, started_at, timeout } = value
  if (status.startsWith('pending-') && (typeof started_at !== 'string' || typeof timeout !== 'number')) {
    throw unreadableError(where, `the state ${status} does not say since when and for how long`)
  }
  return value as unknown as ReleaseState
}

/** The inventory that JSON holds; an entry that names no object would be looked for, or deleted, in vain. */
export function inventoryOf(value: unknown, where: string): ReleaseRecord['inventory'] {
  const entries = listOf(value, 'inventory', where)
  if (!entries.every(namesObject)) throw unreadableError(where, 'an entry of the inventory names no object')
  return entries as ReleaseRecord['inventory']
}

function namesObject(entry: unknown): boolean {
  if (!isRecord(entry) || !isRecord(entry['ref'])) return false
  const { group, version, kind, name, namespace = 'default' } = entry['ref']
  return (
    typeof group === 'string' &&
    [version, kind, name, namespace].every((text) => typeof text === 'string' && text !== '')
  )
}

/** Whether a text is one of the statuses. */
export function isStatus(value: unknown): value is ReleaseStatus {
  return statuses.includes(value as ReleaseStatus)
}

const statuses: readonly ReleaseStatus[] = [
  ...(['deployed', 'superseded', 'uninstalled', 'failed', 'recovering'] as const),
  ...(['pending-install', 'pending-upgrade', 'pending-rollback', 'pending-uninstall'] as const),
]

function toStoredHook(hook: HookRecord): Record<string, unknown> {
  const { object, ...rest } = hook
  return { name: object.metadata.name ?? '', ...rest, resource: stringifyJson(object) }
}

function hookOf(value: unknown, where: string): HookRecord {
  if (!isRecord(value)) throw unreadableError(where, 'a hook is no map')
  const { name: _, resource, ...rest } = value
  const object = hookObject(resource, where)
  return { ...rest, object, phases: Array.isArray(rest['phases']) ? rest['phases'] : [], weight: weightOf(rest) }
}

function hookObject(resource: unknown, where: string): HookRecord['object'] {
  if (typeof resource !== 'string') throw unreadableError(where, 'a hook has no resource')
  try {
    // Lading writes JSON; Sherpack YAML.
    const [object] = resource.startsWith('{') ? [parseJson(resource)] : readObjects(resource)
    if (isRecord(object)) return object as HookRecord['object']
  } catch (error) {
    if (!isLadingError(error) && !(error instanceof SyntaxError)) throw error
  }
  throw unreadableError(where, 'the resource of a hook is no object')
}

function weightOf(hook: Record<string, unknown>): number {
  return typeof hook['weight'] === 'number' ? hook['weight'] : 0
}

function packOf(value: unknown, where: string): ReleaseRecord['pack'] {
  if (!isRecord(value) || typeof value['name'] !== 'string') throw unreadableError(where, 'it does not name its source')
  const known = Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))
  return { type: 'pack', ...known } as unknown as ReleaseRecord['pack']
}

/** Sherpack tags a source by `type` and says more beside it; that is kept under `details`. */
function provenanceOf(value: unknown): ReleaseRecord['valuesProvenance'] {
  const given = mapOf(value)
  const sources = Object.entries(mapOf(given['sources']))
  const tagged = sources.filter((entry): entry is [string, Record<string, unknown>] => isRecord(entry[1]))
  const plain = sources.map(([path, source]) => [path, isRecord(source) ? source['type'] : source] as const)
  const details = tagged.length === 0 ? {} : { details: Object.fromEntries(tagged) }
  return { ...given, ...details, sources: Object.fromEntries(plain) } as ReleaseRecord['valuesProvenance']
}

function mapOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

function listOf(value: unknown, field: string, where: string): unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw unreadableError(where, `${field} is no list`)
  return value
}

function missing(field: string, where: string): LadingError {
  return unreadableError(where, `${field} is missing`)
}
