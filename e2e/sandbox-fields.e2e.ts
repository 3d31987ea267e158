import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { context } from '../src/core/index.ts'
import type { Cluster } from '../src/kube/index.ts'
import fc from '../testing/fast-check.ts'
import { freshName, openComparedClusters, type ComparedClusters } from './fixtures/compared-clusters.ts'
import { type RandomKind, randomKinds } from './random-objects.ts'
import { widgetCrd, widgets } from './random-widgets.ts'
import { comparable, type Operation, send, type Verb, write, writes } from './random-writes.ts'

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
  const namespace = freshName('fields')
  let clusters: ComparedClusters

  beforeAll(async () => {
    clusters = await openComparedClusters(namespace, widgetCrd)
  })
  afterAll(() => clusters.close())

  const kinds: readonly RandomKind[] = [
    { kind: 'Widget', apiVersion: 'fields.lading.dev/v1', resource: 'widgets', configs: widgets() },
    ...randomKinds,
  ]
  it.each(kinds.map((one) => [one.kind, one] as const))(
    'give the same objects, owners and refusals for any sequence of writes to a %s',
    async (kind, { apiVersion, resource, configs, controlled = false, without = [] }) => {
      await fc.assert(
        fc.asyncProperty(writes(configs, without), async (sequence) => {
          const name = freshName('x')
          const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
          const path = `${root}/namespaces/${namespace}/${resource}/${name}`
          const identity = { apiVersion, kind, metadata: { name, namespace } }
          let exists = false
          for (const operation of sequence) {
            if (!exists && needsObject(kind, operation.verb)) continue
            const [theirs, ours] = await Promise.all(
              clusters.both.map((cluster) => write(cluster, path, identity, operation, ctx)),
            )
            if (theirs === undefined || ours === undefined) throw new Error('one of two answers is missing')
            expect(comparable(ours, controlled)).toEqual(comparable(theirs, controlled))
            exists ||= 'body' in theirs && operation.dryRun !== true
          }
          await Promise.all(clusters.both.map((cluster) => discard(cluster, path)))
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

// The API server makes a Service without an address out of a status that is applied to none.
function needsObject(kind: string, verb: Verb): boolean {
  return kind === 'Service' && ['status', 'put', 'put-status'].includes(verb)
}

async function discard(cluster: Cluster, path: string): Promise<void> {
  const body = { metadata: { finalizers: null } }
  await send(cluster, { method: 'PATCH', path, body, contentType: 'application/merge-patch+json' }, ctx)
  await send(cluster, { method: 'DELETE', path, query: { gracePeriodSeconds: '0' } }, ctx)
}
