import { randomBytes } from 'node:crypto'
import fc from '../testing/fast-check.ts'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { context, isLadingError, type KubeObject, stringifyJson } from '../src/core/index.ts'
import { type Cluster, connect } from '../src/kube/index.ts'
import { type Sandbox, startSandbox } from '../src/sandbox/index.ts'

/** One write by one manager. */
interface Operation {
  readonly verb: 'apply' | 'force' | 'merge' | 'status'
  readonly manager: string
  readonly config: Record<string, unknown>
}

const ctx = context()

// Sequences that once told the two apart.
const found: Readonly<Record<string, readonly Operation[][]>> = {
  Widget: [
    [
      { verb: 'force', manager: 'carol', config: { status: { phase: 'A' } } },
      { verb: 'merge', manager: 'carol', config: { metadata: { labels: { l1: 'b' } }, spec: { size: 1 } } },
      { verb: 'status', manager: 'carol', config: { status: { phase: 'B' } } },
    ],
  ],
}

describe('the sandbox and the real API server', () => {
  let sandbox: Sandbox
  let real: Awaited<ReturnType<typeof connect>>
  let embedded: Awaited<ReturnType<typeof connect>>
  const namespace = `fields-${randomBytes(4).toString('hex')}`

  beforeAll(async () => {
    sandbox = await startSandbox()
    real = await connect({ kubeconfig: inject('kubeconfig') }, ctx)
    embedded = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
    for (const cluster of [real, embedded]) {
      await send(cluster, 'POST', '/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace },
      })
      await send(cluster, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetCrd)
      await served(cluster, `/apis/fields.lading.dev/v1/namespaces/${namespace}/widgets`)
    }
  })

  afterAll(async () => {
    await send(real, 'DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.fields.lading.dev')
    await send(real, 'DELETE', `/api/v1/namespaces/${namespace}`)
    await real.close()
    await embedded.close()
    await sandbox.stop()
  })

  it.each([
    ['ConfigMap', 'v1', '/api/v1', 'configmaps', configMaps()],
    ['Deployment', 'apps/v1', '/apis/apps/v1', 'deployments', deployments()],
    ['Service', 'v1', '/api/v1', 'services', services()],
    ['Widget', 'fields.lading.dev/v1', '/apis/fields.lading.dev/v1', 'widgets', widgets()],
  ])(
    'give the same objects, owners and conflicts for any sequence of writes to a %s',
    async (kind, apiVersion, root, resource, configs) => {
      let run = 0
      const operations = fc.array(
        fc.record({
          verb: fc.constantFrom('apply', 'apply', 'apply', 'force', 'merge', 'status'),
          manager: fc.constantFrom('alice', 'bob', 'carol'),
          config: configs,
        }),
        { minLength: 1, maxLength: 6 },
      )
      await fc.assert(
        fc.asyncProperty(operations, async (sequence) => {
          run += 1
          const name = `x${run}-${randomBytes(3).toString('hex')}`
          const collection = `${root}/namespaces/${namespace}/${resource}`
          const identity = { apiVersion, kind, metadata: { name, namespace } }
          let exists = false
          for (const operation of sequence) {
            // The API server makes a Service without an address out of a status that is applied to none.
            if (kind === 'Service' && operation.verb === 'status' && !exists) continue
            const [theirs, ours] = await Promise.all([
              write(real, collection, identity, operation),
              write(embedded, collection, identity, operation),
            ])
            expect(comparable(ours)).toEqual(comparable(theirs))
            exists ||= (theirs as { status?: number }).status !== undefined
          }
          await Promise.all([real, embedded].map((cluster) => send(cluster, 'DELETE', `${collection}/${name}`)))
        }),
        {
          examples: (found[kind] ?? []).map((sequence) => [sequence]),
          numRuns: Number(process.env['LADING_FIELDS_RUNS'] ?? 60),
          endOnFailure: process.env['LADING_FIELDS_SHRINK'] === undefined,
        },
      )
    },
  )
})

async function write(
  cluster: Cluster,
  collection: string,
  identity: KubeObject,
  { verb, manager, config }: Operation,
): Promise<unknown> {
  const { metadata = {}, ...rest } = config as { metadata?: Record<string, unknown> }
  const path = `${collection}/${identity.metadata.name}`
  const body = { ...identity, ...rest, metadata: { ...identity.metadata, ...metadata } }
  switch (verb) {
    case 'apply':
    case 'force':
      return await send(cluster, 'PATCH', path, body, 'application/apply-patch+yaml', {
        fieldManager: manager,
        force: verb === 'force',
      })
    case 'merge':
      return await send(cluster, 'PATCH', path, { ...rest, metadata }, 'application/merge-patch+json', {
        fieldManager: manager,
      })
    case 'status':
      return await send(cluster, 'PATCH', `${path}/status`, body, 'application/apply-patch+yaml', {
        fieldManager: manager,
        force: true,
      })
  }
}

async function send(
  cluster: Cluster,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  contentType?: string,
  query: Record<string, string | boolean> = {},
): Promise<unknown> {
  try {
    const response = await cluster.transport.request(
      {
        method,
        path,
        query,
        ...(body === undefined ? {} : { body }),
        ...(contentType === undefined ? {} : { contentType }),
      },
      ctx,
    )
    return { status: response.status, body: response.body }
  } catch (error) {
    if (!isLadingError(error)) throw error
    const { status, reason, causes } = error.details as {
      status?: number
      reason?: string
      causes?: { field?: string; reason?: string }[]
    }
    return { refused: status, reason, causes: causes?.map((cause) => `${cause.reason} ${cause.field}`).sort() }
  }
}

async function served(cluster: Cluster, path: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const answer = (await send(cluster, 'GET', path)) as { status?: number }
    if (answer.status === 200) return
    await ctx.clock.sleep(50)
  }
  throw new Error(`${path} is not served`)
}

const random = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'time',
  'clusterIP',
  'clusterIPs',
  'code',
  'message',
])

/** Everything that must be the same: all but ids, versions, times, and what controllers write whenever they like. */
function comparable(answer: unknown): unknown {
  return JSON.parse(stringifyJson(answer), function (this: { kind?: unknown }, key: string, value: unknown) {
    if (random.has(key) || (key === 'status' && this.kind === 'Deployment')) return undefined
    // Managers are sorted by time, and times differ.
    if (key === 'managedFields' && Array.isArray(value))
      return Object.fromEntries((value as Manager[]).flatMap(byWriter))
    return value
  }) as unknown
}

interface Manager {
  readonly manager: string
  readonly operation: string
  readonly subresource?: string
}

function byWriter(entry: Manager): [string, Manager][] {
  const { manager, operation, subresource = '' } = entry
  const writes = ['alice', 'bob', 'carol', 'before-first-apply'].includes(manager)
  return writes ? [[`${manager} ${operation} ${subresource}`, entry]] : []
}

function configMaps(): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(
    {
      metadata: metadata(),
      data: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2', ''), { maxKeys: 3 }),
    },
    { requiredKeys: [] },
  )
}

function metadata(): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(
    {
      labels: fc.dictionary(fc.constantFrom('l1', 'l2'), fc.constantFrom('a', 'b'), { maxKeys: 2 }),
      annotations: fc.dictionary(fc.constantFrom('n1', 'n2'), fc.constantFrom('a', 'b'), { maxKeys: 2 }),
    },
    { requiredKeys: [] },
  )
}

function deployments(): fc.Arbitrary<Record<string, unknown>> {
  const port = fc.record(
    {
      containerPort: fc.constantFrom(80, 443),
      protocol: fc.constantFrom('TCP', 'UDP'),
      name: fc.constantFrom('p', 'q'),
    },
    { requiredKeys: ['containerPort'] },
  )
  const container = fc.record(
    {
      name: fc.constantFrom('web', 'side'),
      image: fc.constantFrom('x:1', 'y:2'),
      args: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
      env: fc.uniqueArray(fc.record({ name: fc.constantFrom('A', 'B'), value: fc.constantFrom('1', '2') }), {
        selector: (e) => e.name,
        maxLength: 2,
      }),
      ports: fc.uniqueArray(port, { selector: (p) => `${p.containerPort}/${p.protocol ?? 'TCP'}`, maxLength: 2 }),
    },
    { requiredKeys: ['name', 'image'] },
  )
  return fc.record(
    {
      metadata: metadata(),
      spec: fc.record(
        {
          paused: fc.constant(true),
          replicas: fc.constantFrom(0, 1, 2),
          minReadySeconds: fc.constantFrom(1, 2),
          selector: fc.constant({ matchLabels: { app: 'x' } }),
          template: fc.record({
            metadata: fc.constant({ labels: { app: 'x' } }),
            spec: fc.record(
              {
                containers: fc.uniqueArray(container, { selector: (c) => c.name, minLength: 1, maxLength: 2 }),
                nodeSelector: fc.dictionary(fc.constantFrom('k1', 'k2'), fc.constantFrom('a', 'b'), { maxKeys: 2 }),
                tolerations: fc.array(fc.constant({ key: 'a', operator: 'Exists' }), { maxLength: 1 }),
                volumes: fc.array(fc.constantFrom({ name: 'v', emptyDir: {} }), { maxLength: 1 }),
              },
              { requiredKeys: ['containers'] },
            ),
          }),
        },
        { requiredKeys: ['paused', 'replicas', 'selector', 'template'] },
      ),
    },
    { requiredKeys: ['spec'] },
  )
}

function services(): fc.Arbitrary<Record<string, unknown>> {
  const port = fc.record(
    {
      name: fc.constantFrom('a', 'b'),
      port: fc.constantFrom(80, 81),
      targetPort: fc.constantFrom(80, 'web'),
      protocol: fc.constantFrom('TCP', 'UDP'),
    },
    { requiredKeys: ['name', 'port'] },
  )
  const ports = fc.uniqueArray(port, {
    comparator: (a, b) => a.name === b.name || (a.port === b.port && a.protocol === b.protocol),
    minLength: 1,
    maxLength: 2,
  })
  return fc.record(
    {
      metadata: metadata(),
      spec: fc.record(
        {
          ports,
          selector: fc.dictionary(fc.constantFrom('app', 'tier'), fc.constantFrom('a', 'b'), { maxKeys: 2 }),
          sessionAffinity: fc.constantFrom('None', 'ClientIP'),
        },
        { requiredKeys: ['ports'] },
      ),
    },
    { requiredKeys: ['spec'] },
  )
}

function widgets(): fc.Arbitrary<Record<string, unknown>> {
  const item = fc.record(
    {
      key: fc.constantFrom('k1', 'k2', 'k3'),
      value: fc.constantFrom(1, 2),
      tags: fc.array(fc.constantFrom('t1', 't2'), { maxLength: 2 }),
    },
    { requiredKeys: ['key'] },
  )
  return fc.record(
    {
      metadata: metadata(),
      spec: fc.record(
        {
          size: fc.constantFrom(1, 2, 9007199254740991),
          items: fc.uniqueArray(item, { selector: (i) => i.key, maxLength: 3 }),
          set: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
          atomicList: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
          atomicMap: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('1', '2'), { maxKeys: 2 }),
          free: fc.dictionary(
            fc.constantFrom('a', 'b'),
            fc.oneof(fc.constant(1), fc.constant({ deep: true }), fc.constant([1, 2])),
            { maxKeys: 2 },
          ),
          withDefault: fc.constantFrom('given', 'default'),
        },
        { requiredKeys: [] },
      ),
      status: fc.record({ phase: fc.constantFrom('A', 'B') }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  )
}

const widgetCrd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.fields.lading.dev' },
  spec: {
    group: 'fields.lading.dev',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'integer', format: 'int64' },
                  withDefault: { type: 'string', default: 'default' },
                  items: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['key'],
                    items: {
                      type: 'object',
                      required: ['key'],
                      properties: {
                        key: { type: 'string' },
                        value: { type: 'integer' },
                        tags: { type: 'array', items: { type: 'string' } },
                      },
                    },
                  },
                  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
                  atomicList: { type: 'array', items: { type: 'string' } },
                  atomicMap: {
                    type: 'object',
                    'x-kubernetes-map-type': 'atomic',
                    additionalProperties: { type: 'string' },
                  },
                  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                },
              },
              status: { type: 'object', properties: { phase: { type: 'string' } } },
            },
          },
        },
      },
    ],
  },
}
