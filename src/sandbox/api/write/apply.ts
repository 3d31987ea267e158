import { isLadingError, isRecord, type KubeObject } from '../../../core/index.ts'
import { unknownFieldPaths } from '../../../schema/index.ts'
import { type Backend, timestamp, type WriteOptions } from '../../backend.ts'
import { type Applied, applyFields, type Conflict, updateFields, type Write } from '../../fields/track.ts'
import type { Manager } from '../../fields/managers.ts'
import { checkItems } from '../../fields/merge.ts'
import type { ResourceType } from '../../resource-type.ts'
import { badRequest, conflict, invalid, notFound, StatusError, TypeMismatch } from '../../status-error.ts'
import { inVersion } from '../read/in-version.ts'
import { kubectlManager, lastAppliedPaths, rememberApplied } from './last-applied.ts'
import { leftoverNulls } from './leftover-nulls.ts'
import type { ResourceRequest } from '../resource-request.ts'
import { checkName } from './update.ts'
import { invalidValue } from './validate-meta.ts'
import { apiVersionOf, decodeObject, emptyObject, hasStatus } from './decode-object.ts'
import { withoutManagers } from './managed-fields.ts'
import { storeChanged, storeNew } from './store-object.ts'

/** PATCH with `application/apply-patch+yaml`: server-side apply. Says whether the object is new. */
export function apply(
  backend: Backend,
  info: ResourceRequest,
  body: unknown,
  options: WriteOptions,
): { object: KubeObject; created: boolean } {
  const { type } = info
  const config = readConfig(info, body, options)
  const found = backend.store.get(type.collection, info.namespace ?? '', info.name ?? '')
  const live = found === undefined ? undefined : inVersion(type, found)
  if (live === undefined && options.subresource !== '') throw notFound(type, info.name ?? '')
  checkUid(type, config, live)
  const base: KubeObject = live ?? { ...emptyObject(type), metadata: identity(info) }
  const write = {
    manager: options.fieldManager,
    operation: 'Apply',
    apiVersion: apiVersionOf(type),
    subresource: options.subresource,
    time: timestamp(backend.clock),
  } as const
  const entries = live === undefined ? [] : (base.metadata.managedFields ?? beforeFirstApply(type, live, write))
  const attempt = (force: boolean): Applied =>
    typed(type, config, () => applyFields(type.shape, withoutManagers(base), entries, config, write, force))
  const applied = settled(type, live, attempt, options)
  const nulls = type.crd === undefined || type.schema === undefined ? [] : leftoverNulls(type.schema, applied.value)
  if (nulls.length > 0) throw invalid(type, info.name ?? '', nulls)
  const merged = typed(type, config, () => decodeObject(type, applied.value))
  if (options.fieldManager === kubectlManager) rememberApplied(merged, body as Record<string, unknown>)
  const object =
    live === undefined
      ? storeNew(backend, type, merged, applied.managedFields, options)
      : storeChanged(backend, type, live, merged, applied.managedFields, options)
  return { object, created: live === undefined }
}

/** The outcome of an attempt; for kubectl, what it applied on the client before is no conflict. */
function settled(
  type: ResourceType,
  live: KubeObject | undefined,
  attempt: (force: boolean) => Applied,
  options: WriteOptions,
): Exclude<Applied, { conflicts: unknown }> {
  const first = attempt(options.force)
  if (!('conflicts' in first)) return first
  const own = options.fieldManager === kubectlManager && live !== undefined ? lastAppliedPaths(type, live) : new Set()
  const conflicts = first.conflicts.filter(({ path }) => !own.has(path))
  const second = conflicts.length === 0 ? attempt(true) : first
  if ('conflicts' in second) throw applyConflict(conflicts)
  return second
}

/** An apply may say which object it means, yet not give it another identity. */
function checkUid(type: ResourceType, { metadata }: Record<string, unknown>, live: KubeObject | undefined): void {
  const { name = '', uid } = metadata as { name?: string; uid?: string }
  if (uid === undefined || uid === live?.metadata.uid) return
  if (live !== undefined) throw invalid(type, name, [invalidValue('metadata.uid', uid, 'field is immutable')])
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`
  throw conflict(type, name, why)
}

/** What is applied: of the main resource everything but its status, of the status nothing else. */
function readConfig(info: ResourceRequest, body: unknown, options: WriteOptions): Record<string, unknown> {
  const { type } = info
  if (!isRecord(body) || !isRecord(body['metadata'])) throw badRequest('the applied configuration is not an object')
  if (body['apiVersion'] !== apiVersionOf(type) || body['kind'] !== type.kind) {
    throw badRequest(`the applied configuration is not a ${apiVersionOf(type)} ${type.kind}`)
  }
  const metadata = body['metadata']
  if (metadata['managedFields'] !== undefined) throw badRequest('metadata.managedFields must be nil')
  const { name = '', namespace = info.namespace } = metadata
  checkName(String(name), info.name ?? '')
  if (type.namespaced && namespace !== info.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  checkDeclared(type, body)
  const config = { ...body, metadata: { ...metadata, ...identity(info) } }
  // What is not applied has to make sense all the same.
  if (options.subresource === 'status') typed(type, config, () => checkItems(type.shape, config, []))
  return portion(type, config, options.subresource)
}

/** What of an object is written by way of a subresource. */
function portion<Whole extends Record<string, unknown>>(type: ResourceType, whole: Whole, subresource: string): Whole {
  if (subresource === 'status') {
    const metadata = { ...(whole['metadata'] as Record<string, unknown>) }
    // Custom resources keep their metadata, yet count its writer as an owner.
    for (const field of type.rules.statusKeeps ?? []) delete metadata[field]
    return { ...pick(whole, ['apiVersion', 'kind', 'status']), metadata } as unknown as Whole
  }
  if (!hasStatus(type)) return whole
  const { status: _, ...main } = whole
  return main as unknown as Whole
}

// Whatever field validation asks for: what has no place in the type cannot be owned.
function checkDeclared(type: ResourceType, body: Record<string, unknown>): void {
  const unknown = type.schema === undefined ? [] : unknownFieldPaths(body, type.schema)
  if (unknown.length === 0) return
  const texts = unknown.map((field) => `.${field}: field not declared in schema`)
  throw untyped(
    type,
    body,
    texts.length === 1 ? texts.join() : `errors:\n${texts.map((line) => `  ${line}`).join('\n')}`,
  )
}

function typed<Value>(type: ResourceType, config: Record<string, unknown>, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (isLadingError(error)) throw untyped(type, config, error.message)
    if (error instanceof TypeMismatch) {
      throw untyped(type, config, `.${error.path.join('.')}: expected ${expected(error.wanted)}, got ${error.given}`)
    }
    throw error
  }
}

function expected(wanted: string): string {
  if (wanted.startsWith('[]')) return 'list'
  if (wanted.startsWith('map[') || wanted.includes('.')) return 'map'
  return /^(u?int|float)/.test(wanted) ? 'numeric (int or float)' : wanted.replace('bool', 'boolean')
}

/** 500 for a configuration that does not fit its type, which the API server takes for its own fault. */
function untyped(type: ResourceType, { metadata }: Record<string, unknown>, why: string): StatusError {
  const { name = '', namespace = '' } = metadata as { name?: string; namespace?: string }
  const subject = `${namespace}/${name}; ${type.group}/${type.version}, Kind=${type.kind}`
  return new StatusError(500, '', `failed to create typed patch object (${subject}): ${why}`)
}

// An object that was never tracked belongs to whoever wrote it before, under a name that says so: as far as the
// resource that is written now has a say in it.
function beforeFirstApply(type: ResourceType, live: KubeObject, write: Write): ReturnType<typeof updateFields> {
  const before: Write = { ...write, manager: 'before-first-apply', operation: 'Update' }
  const written = portion(type, withoutManagers(live), write.subresource)
  return updateFields(type.shape, emptyObject(type), [], written, before)
}

function identity(info: ResourceRequest): { name: string; namespace?: string } {
  const name = info.name ?? ''
  return info.namespace === undefined ? { name } : { name, namespace: info.namespace }
}

function pick(value: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => keys.includes(key)))
}

function applyConflict(conflicts: readonly Conflict[]): StatusError {
  const causes = conflicts.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${describeManager(manager)}`,
    field: path,
  }))
  return new StatusError(409, 'Conflict', conflictMessage(conflicts), { causes })
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [only] = conflicts
  if (conflicts.length === 1 && only !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${describeManager(only.manager)}: ${only.path}`
  }
  const byManager = Object.groupBy(conflicts, ({ manager }) => describeManager(manager))
  const lines = Object.entries(byManager).flatMap(([manager, owned]) => [
    `conflicts with ${manager}:`,
    ...(owned ?? []).map(({ path }) => `- ${path}`),
  ])
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`
}

function describeManager({ manager, operation, subresource, apiVersion }: Manager): string {
  const name = subresource === '' ? `"${manager}"` : `"${manager}" with subresource "${subresource}"`
  return operation === 'Update' ? `${name} using ${apiVersion}` : name
}
