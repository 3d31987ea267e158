import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { context } from '../src/core/index.ts'
import { type Cluster, connect } from '../src/kube/index.ts'
import { type Sandbox, startSandbox } from '../src/sandbox/index.ts'
import fc from '../testing/fast-check.ts'
import { type RandomKind, randomKinds } from './random-objects.ts'
import { widgetCrd, widgets } from './random-widgets.ts'
import { comparable, type Operation, send, served, type Verb, write, writes } from './random-writes.ts'

const ctx = context()
const runs = Number(process.env['LADING_FIELDS_RUNS'] ?? 12)

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
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
      await send(cluster, { method: 'POST', path: '/api/v1/namespaces', body }, ctx)
      await send(cluster, { method: 'POST', path: crds, body: widgetCrd }, ctx)
      await served(cluster, `/apis/fields.lading.dev/v1/namespaces/${namespace}/widgets`, ctx)
      await served(cluster, `/apis/fields.lading.dev/v2/namespaces/${namespace}/widgets`, ctx)
      // Pods need it.
      await served(cluster, `/api/v1/namespaces/${namespace}/serviceaccounts/default`, ctx)
    }
  })

  afterAll(async () => {
    await send(real, { method: 'DELETE', path: `${crds}/${widgetCrd.metadata.name}` }, ctx)
    await send(real, { method: 'DELETE', path: `/api/v1/namespaces/${namespace}` }, ctx)
    await real.close()
    await embedded.close()
    await sandbox.stop()
  })

  const kinds: readonly RandomKind[] = [
    { kind: 'Widget', apiVersion: 'fields.lading.dev/v1', resource: 'widgets', configs: widgets() },
    ...randomKinds,
  ]
  it.each(kinds.map((one) => [one.kind, one] as const))(
    'give the same objects, owners and refusals for any sequence of writes to a %s',
    async (kind, { apiVersion, resource, configs, controlled = false, without = [] }) => {
      await fc.assert(
        fc.asyncProperty(writes(configs, without), async (sequence) => {
          const name = `x-${randomBytes(4).toString('hex')}`
          const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
          const path = `${root}/namespaces/${namespace}/${resource}/${name}`
          const identity = { apiVersion, kind, metadata: { name, namespace } }
          let exists = false
          for (const operation of sequence) {
            if (!exists && needsObject(kind, operation.verb)) continue
            const [theirs, ours] = await Promise.all(
              [real, embedded].map((cluster) => write(cluster, path, identity, operation, ctx)),
            )
            if (theirs === undefined || ours === undefined) throw new Error('one of two answers is missing')
            expect(comparable(ours, controlled)).toEqual(comparable(theirs, controlled))
            exists ||= 'body' in theirs && operation.dryRun !== true
          }
          await Promise.all([real, embedded].map((cluster) => discard(cluster, path)))
        }),
        {
          examples: (found[kind] ?? []).map((sequence) => [sequence]),
          numRuns: runs,
          endOnFailure: process.env['LADING_FIELDS_SHRINK'] === undefined,
        },
      )
    },
  )
})

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

// The API server makes a Service without an address out of a status that is applied to none.
function needsObject(kind: string, verb: Verb): boolean {
  return kind === 'Service' && ['status', 'put', 'put-status'].includes(verb)
}

async function discard(cluster: Cluster, path: string): Promise<void> {
  const body = { metadata: { finalizers: null } }
  await send(cluster, { method: 'PATCH', path, body, contentType: 'application/merge-patch+json' }, ctx)
  await send(cluster, { method: 'DELETE', path, query: { gracePeriodSeconds: '0' } }, ctx)
}
