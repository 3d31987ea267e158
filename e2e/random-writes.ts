import { vi } from 'vitest'
import { type Context, isLadingError, isRecord, type KubeObject, stringifyJson } from '../src/core/index.ts'
import type { Cluster } from '../src/kube/index.ts'
import fc from '../testing/fast-check.ts'
import type { Config } from './random-values.ts'

/** One write by one manager. */
export interface Operation {
  readonly verb: Verb
  readonly manager: string
  readonly config: Config
  readonly dryRun?: boolean
}

/** The ways to write. */
export type Verb = (typeof verbs)[number]

const verbs = [
  'apply',
  'force',
  'merge',
  'strategic',
  'json',
  'put',
  'put-status',
  'status',
  'merge-status',
  'scale',
  'hold',
  'release',
  'delete',
  'create',
  'forget',
] as const

/** Up to six writes; applies are what most of them are. */
export function writes(configs: fc.Arbitrary<Config>, without: readonly Verb[] = []): fc.Arbitrary<Operation[]> {
  const operation = fc.record(
    {
      verb: fc.oneof(
        { weight: 2, arbitrary: fc.constant('apply' as const) },
        { weight: 5, arbitrary: fc.constantFrom(...verbs.filter((verb) => !without.includes(verb))) },
      ),
      manager: fc.constantFrom('alice', 'bob', 'carol'),
      config: configs,
      dryRun: fc.constant(true),
    },
    { requiredKeys: ['verb', 'manager', 'config'] },
  )
  return fc.array(operation, { minLength: 1, maxLength: 6 })
}

/** What a cluster answered to a write. */
export type Answer = Success | Refusal

interface Success {
  readonly status: number
  readonly body: unknown
  readonly warnings: readonly string[]
}

interface Refusal {
  readonly refused: number | undefined
  readonly reason: string | undefined
  readonly causes: readonly string[] | undefined
}

/** Carries out a write on the object of an identity. */
export async function write(
  cluster: Cluster,
  path: string,
  identity: KubeObject,
  operation: Operation,
  ctx: Context,
): Promise<Answer> {
  const { verb, manager, config, dryRun = false } = operation
  const { metadata = {}, ...rest } = config as { metadata?: Config }
  const body = { ...identity, ...rest, metadata: { ...identity.metadata, ...metadata } }
  const query = { fieldManager: manager, ...(dryRun ? { dryRun: 'All' } : {}) }
  const request = (method: Method, at: string, sent: unknown, contentType?: string, more = {}): Promise<Answer> =>
    send(cluster, { method, path: at, body: sent, contentType, query: { ...query, ...more } }, ctx)
  switch (verb) {
    case 'apply':
    case 'force':
      return await request('PATCH', path, body, applyPatch, { force: verb === 'force' })
    case 'status':
      return await request('PATCH', `${path}/status`, body, applyPatch, { force: true })
    case 'merge':
      return await request('PATCH', path, { ...rest, metadata }, mergePatch)
    case 'merge-status':
      return await request('PATCH', `${path}/status`, { ...rest, metadata }, mergePatch)
    case 'strategic':
      return await request('PATCH', path, { ...rest, metadata }, 'application/strategic-merge-patch+json')
    case 'json':
      return await request('PATCH', path, jsonPatch(rest, metadata), 'application/json-patch+json')
    case 'put':
      return await request('PUT', path, await current(cluster, path, body, ctx))
    case 'put-status':
      return await request('PUT', `${path}/status`, await current(cluster, path, body, ctx))
    case 'scale':
      return await request(
        'PATCH',
        `${path}/scale`,
        { spec: { replicas: await otherCount(cluster, path, ctx) } },
        mergePatch,
      )
    case 'hold':
      return await request('PATCH', path, { metadata: { finalizers: ['lading.dev/hold'] } }, mergePatch)
    case 'release':
      return await request('PATCH', path, { metadata: { finalizers: null } }, mergePatch)
    case 'forget':
      return await request('PATCH', path, { metadata: { managedFields: [{}] } }, mergePatch)
    case 'delete':
      return await send(cluster, { method: 'DELETE', path, query: dryRun ? { dryRun: 'All' } : {} }, ctx)
    case 'create':
      return await request('POST', path.slice(0, path.lastIndexOf('/')), body)
  }
}

const applyPatch = 'application/apply-patch+yaml'
const mergePatch = 'application/merge-patch+json'

function jsonPatch(rest: Config, metadata: Config): unknown[] {
  const parts = Object.entries(rest).map(([key, value]) => ({ op: 'add', path: `/${key}`, value }))
  return [...parts, ...Object.entries(metadata).map(([key, value]) => ({ op: 'add', path: `/metadata/${key}`, value }))]
}

// Another one than there is: the API server loses the owner of a count that is written as it was.
async function otherCount(cluster: Cluster, path: string, ctx: Context): Promise<number> {
  const found = await send(cluster, { method: 'GET', path: `${path}/scale` }, ctx)
  const scale = 'body' in found && isRecord(found.body) ? found.body : {}
  const { replicas = 0 } = (isRecord(scale['spec']) ? scale['spec'] : {}) as { replicas?: number }
  return replicas >= 2 ? 0 : replicas + 1
}

/** The body with the version that is stored, without which custom resources cannot be replaced; controllers are faster elsewhere. */
async function current(cluster: Cluster, path: string, body: KubeObject, ctx: Context): Promise<KubeObject> {
  if (!path.startsWith('/apis/fields.lading.dev/')) return body
  const found = await send(cluster, { method: 'GET', path }, ctx)
  const live = 'body' in found && isRecord(found.body) ? (found.body as KubeObject) : undefined
  const resourceVersion = live?.metadata.resourceVersion
  return resourceVersion === undefined ? body : { ...body, metadata: { ...body.metadata, resourceVersion } }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request as the tests write it. */
export interface Request {
  readonly method: Method
  readonly path: string
  readonly body?: unknown
  readonly contentType?: string | undefined
  readonly query?: Readonly<Record<string, string | boolean>>
}

/** Sends a request; a refusal is an answer too. */
export async function send(cluster: Cluster, request: Request, ctx: Context): Promise<Answer> {
  const { body, contentType, ...rest } = request
  try {
    const more = { ...(body === undefined ? {} : { body }), ...(contentType === undefined ? {} : { contentType }) }
    const response = await cluster.transport.request({ ...rest, ...more }, ctx)
    return { status: response.status, body: response.body, warnings: response.warnings }
  } catch (error) {
    if (!isLadingError(error)) throw error
    const { status, reason, causes } = error.details
    // Old and new validation of the API server may both object to the same.
    return {
      refused: status,
      reason,
      causes: causes && [...new Set(causes.map((cause) => `${cause.reason} ${cause.field}`))].sort(),
    }
  }
}

/** Waits until a path is answered. */
export async function served(cluster: Cluster, path: string, ctx: Context): Promise<void> {
  const look = async (): Promise<void> => {
    if (!('body' in (await send(cluster, { method: 'GET', path }, ctx)))) throw new Error(`${path} is not served`)
  }
  await vi.waitFor(look, { timeout: 120_000, interval: 50 })
}

const random = new Set([
  'continue',
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'time',
  'clusterIP',
  'clusterIPs',
  'code',
  'message',
])

/** Everything that must be the same: all but ids, versions, times, and what controllers write whenever they like. */
export function comparable(answer: Answer, controlled: boolean): unknown {
  return JSON.parse(stringifyJson(answer), function (this: { kind?: unknown }, key: string, value: unknown) {
    if (random.has(key) || (key === 'status' && controlled && this.kind !== undefined && this.kind !== 'Status'))
      return undefined
    // Managers are sorted by time, and times differ.
    if (key === 'managedFields' && Array.isArray(value))
      return Object.fromEntries((value as Manager[]).flatMap(byWriter))
    return typeof value === 'string' ? value.replaceAll(uuid, 'UID') : value
  }) as unknown
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

interface Manager {
  readonly manager: string
  readonly operation: string
  readonly subresource?: string
  readonly apiVersion?: string
}

function byWriter(entry: Manager): [string, Manager][] {
  const { manager, operation, subresource = '', apiVersion = '' } = entry
  const known = /^(alice|bob|carol|cases|owner|m\d+|kubectl.*|ancient-changes|before-first-apply)$/.test(manager)
  return known ? [[`${manager} ${operation} ${subresource} ${apiVersion}`, entry]] : []
}
