import { readdirSync, readFileSync } from 'node:fs'
import { loadAll } from 'js-yaml'
import { isRecord } from '../../../core/index.ts'
import { builtinSchema } from '../../../schema/index.ts'

/** An object to create, and merge patches to send one after the other. */
export interface KindCase {
  readonly object: { readonly apiVersion: string; readonly kind: string; readonly metadata: { readonly name: string } }
  readonly changes?: readonly Record<string, unknown>[]
}

/** Sends a request; a refusal is an answer too. */
export type Send = (method: 'POST' | 'PATCH', path: string, body: unknown) => Promise<{ status: number; body: unknown }>

/** The cases in the order in which they are to be run: quotas come after what they would count. */
export function readKindCases(): KindCase[] {
  const folder = new URL('.', import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'))
  const order = ['pods.yaml', 'workloads.yaml', 'services.yaml', 'storage.yaml', 'policy.yaml']
  if (files.length !== order.length) throw new Error(`cases are read from ${order.join(', ')}, there are ${files.join()}`)
  return order.flatMap((file) => loadAll(readFileSync(new URL(file, folder), 'utf8')) as KindCase[])
}

/** Where a case's object is, and what is answered to its creation and to each of its changes, without what is random. */
export async function replay(one: KindCase, namespace: string, send: Send): Promise<{ path: string; answers: unknown[] }> {
  const { object, changes = [] } = withNamespace(one, namespace)
  const collection = collectionOf(object, namespace)
  const path = `${collection}/${object.metadata.name}`
  const created = await send('POST', collection, object)
  const answers = [comparable(created, namespace)]
  for (const change of changes) {
    const changed = await send('PATCH', path, change)
    answers.push(comparable({ ...changed, body: withoutControllers(changed.body) }, namespace))
  }
  return { path, answers }
}

/** `$NS` stands for the namespace, so that cluster-wide names are free. */
function withNamespace(one: KindCase, namespace: string): KindCase {
  return JSON.parse(JSON.stringify(one).replaceAll('$NS', namespace)) as KindCase
}

function collectionOf({ apiVersion, kind }: KindCase['object'], namespace: string): string {
  const [version = '', group = ''] = apiVersion.split('/').toReversed()
  const resource = builtinSchema().resourceOf({ group, version, kind })
  if (resource === undefined) throw new Error(`${apiVersion} ${kind} is no built-in kind`)
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  return `${root}/${resource.scope === 'Namespaced' ? `namespaces/${namespace}/` : ''}${resource.resource}`
}

/** After its creation controllers write to an object too, whenever they like. */
function withoutControllers(body: unknown): unknown {
  if (!isRecord(body) || body['kind'] === 'Status') return body
  const { status: _, ...rest } = body
  const metadata = { ...(rest['metadata'] as Record<string, unknown>) }
  delete metadata['managedFields']
  const annotations = { ...(metadata['annotations'] as Record<string, unknown> | undefined) }
  for (const key of Object.keys(annotations)) if (key.includes('kubernetes.io/')) delete annotations[key]
  return { ...rest, metadata: { ...metadata, annotations } }
}

const random = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'time', 'nodePort', 'healthCheckNodePort', 'lastPhaseTransitionTime'])

/** What must be the same everywhere: of an object all but ids, versions, times and addresses, of a refusal its causes. */
function comparable({ status, body }: { status: number; body: unknown }, namespace: string): unknown {
  if (status >= 300) return { code: status, ...refusal(body) }
  const text = JSON.stringify(body, (key, value: unknown) => {
    if (random.has(key)) return undefined
    if (key === 'clusterIP' || key === 'clusterIPs') return String(value) === 'None' ? value : 'given'
    return value
  })
  const tidy = text
    .replaceAll(namespace, '$NS')
    .replaceAll(/kube-api-access-\w+/g, 'kube-api-access')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
  return JSON.parse(tidy) as unknown
}

function refusal(body: unknown): { reason: string | undefined; causes: string[] } {
  const { reason, details } = body as {
    reason?: string
    details?: { causes?: { reason: string; field?: string }[] }
  }
  // Old and new validation of the API server may both object to the same.
  const causes = new Set((details?.causes ?? []).map((cause) => `${cause.reason} ${cause.field ?? ''}`))
  return { reason, causes: [...causes].sort() }
}
