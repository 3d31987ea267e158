import assert from 'node:assert/strict'
import type { ErrorCode, KubeObject, LadingError } from '../../core/index.ts'
import { gvkOf, isLadingError, isRecord, refOf } from '../../core/index.ts'
import { applyObject, type ApplyOptions } from '../apply/apply.ts'
import type { ApplyResult } from '../apply/apply-result.ts'
import type { Cluster } from '../cluster.ts'
import { getObject } from '../read/get.ts'
import type { KubeRequest } from '../transport/transport.ts'
import { watchObjects } from '../watch/watch.ts'
import type { CaseContext } from './harness.ts'

/** An object in the namespace of the case. */
export function objectIn(
  c: CaseContext,
  apiVersion: string,
  kind: string,
  name: string,
  rest: object = {},
): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace: c.namespace }, ...rest }
}

/** A ConfigMap `settings` with this data. */
export function configMap(c: CaseContext, data: Record<string, unknown>, rest: object = {}): KubeObject {
  return objectIn(c, 'v1', 'ConfigMap', 'settings', { data, ...rest })
}

/** A Deployment `web` that starts no pods unless told. */
export function deployment(c: CaseContext, spec: object = {}, pod: object = {}): KubeObject {
  const containers = [{ name: 'app', image: 'registry.invalid/app:1' }]
  return objectIn(c, 'apps/v1', 'Deployment', 'web', {
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers, ...pod } },
      ...spec,
    },
  })
}

/** Applies as the admin of the case. */
export async function apply(c: CaseContext, object: KubeObject, options: ApplyOptions = {}): Promise<ApplyResult> {
  return await applyObject(c.cluster, object, options, c.ctx)
}

/** The stored object. */
export async function stored(c: CaseContext, object: KubeObject): Promise<KubeObject> {
  const live = await getObject(c.cluster, refOf(object), c.ctx)
  assert.ok(live !== undefined, `${object.kind} ${object.metadata.name} is not stored`)
  return live
}

/** Expects a failure of one code and gives it. */
export async function failure(work: Promise<unknown>, code: ErrorCode): Promise<LadingError> {
  try {
    await work
  } catch (error) {
    if (!isLadingError(error)) throw error
    assert.equal(error.code, code, error.message)
    return error
  }
  throw new assert.AssertionError({ message: `expected ${code}, but it succeeded` })
}

/** What stands at a path of field names and indexes. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return inner[Number(step)] as unknown
    return isRecord(inner) ? inner[step] : undefined
  }, value)
}

/** The same cluster with something to do before each request. */
export function beforeRequests(cluster: Cluster, act: (request: KubeRequest) => Promise<void> | void): Cluster {
  const { transport } = cluster
  return {
    discovery: cluster.discovery,
    transport: {
      server: transport.server,
      identity: transport.identity,
      close: () => transport.close(),
      stream: (request, ctx) => transport.stream(request, ctx),
      request: async (request, ctx) => {
        await act(request)
        return await transport.request(request, ctx)
      },
    },
  }
}

/** A namespaced CustomResourceDefinition of kind Widget in a group of the case's own, served and known to discovery. */
export async function widgetKind(c: CaseContext, schema: object): Promise<string> {
  const group = `${c.unique}.example.com`
  const crd: KubeObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', ...schema } } },
      ],
    },
  }
  c.cleanUp(crd)
  await apply(c, crd)
  for await (const event of watchObjects(c.cluster, { gvk: gvkOf(crd), name: crd.metadata.name }, c.ctx)) {
    if ('object' in event && isEstablished(event.object)) break
  }
  const kind = { group, version: 'v1', kind: 'Widget' }
  // Discovery follows the Established condition by a moment, and nothing tells when.
  while ((await c.cluster.discovery.find(kind, c.ctx)) === undefined) await c.ctx.clock.sleep(50, c.ctx.signal)
  return `${group}/v1`
}

function isEstablished(crd: KubeObject): boolean {
  const conditions = at(crd, 'status', 'conditions')
  return (
    Array.isArray(conditions) &&
    conditions.some((each) => isRecord(each) && each['type'] === 'Established' && each['status'] === 'True')
  )
}
