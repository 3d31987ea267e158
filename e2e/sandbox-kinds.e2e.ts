import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { context, isLadingError } from '../src/core/index.ts'
import type { Cluster } from '../src/kube/index.ts'
import { readKindCases, replay, type Send } from '../src/sandbox/kinds/testdata/kind-cases.ts'
import { freshName, openComparedClusters, type ComparedClusters } from './fixtures/compared-clusters.ts'

// What the API server answered, for the tests that have none. LADING_RECORD=1 writes it anew.
const recording = new URL('../src/sandbox/kinds/testdata/answers.json', import.meta.url)
const record = process.env['LADING_RECORD'] !== undefined
const recorded = record ? [] : (JSON.parse(readFileSync(recording, 'utf8')) as unknown[][])
const cases = readKindCases().map((one, index) => ({ one, index }))
const ctx = context()

describe('the sandbox and the real API server complete, refuse and freeze the same', () => {
  const answers: unknown[][] = []
  const namespace = freshName('kinds')
  let clusters: ComparedClusters

  beforeAll(async () => {
    clusters = await openComparedClusters(namespace)
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'other' } }
    for (const cluster of clusters.both) {
      await request(cluster, 'POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, account)
    }
  })

  afterAll(async () => {
    await clusters.close()
    const complete = cases.every(({ index }) => answers[index] !== undefined)
    if (record && complete) writeFileSync(recording, `[\n${answers.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`)
  })

  it.each(cases)('$one.object.kind $one.object.metadata.name', async ({ one, index }) => {
    const { real, embedded } = clusters
    const theirs = await replay(one, namespace, sender(real))
    try {
      const ours = await replay(one, namespace, sender(embedded))
      expect(ours.answers).toEqual(theirs.answers)
      answers[index] = theirs.answers
      expect(theirs.answers).toEqual(record ? theirs.answers : recorded[index])
    } finally {
      await request(real, 'DELETE', theirs.path, { gracePeriodSeconds: 0, propagationPolicy: 'Background' })
    }
  })
})

function sender(cluster: Cluster): Send {
  return (method, path, body) => request(cluster, method, path, body)
}

async function request(
  cluster: Cluster,
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  try {
    const response = await cluster.transport.request(
      {
        method,
        path,
        query: method === 'DELETE' ? {} : { fieldManager: 'kinds' },
        ...(body === undefined ? {} : { body }),
        ...(method === 'PATCH' ? { contentType: 'application/merge-patch+json' } : {}),
      },
      ctx,
    )
    return { status: response.status, body: response.body }
  } catch (error) {
    if (!isLadingError(error)) throw error
    const { status, reason, causes } = error.details
    return { status: status ?? 0, body: { reason, details: { causes } } }
  }
}
