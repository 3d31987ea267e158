import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { context } from '../src/core/index.ts'
import { freshName, openComparedClusters, type ComparedClusters } from './fixtures/compared-clusters.ts'
import { type Answer, comparable, type Request, send } from './random-writes.ts'
import { requestCases, thingCrd } from './request-cases.ts'

const ctx = context()

describe('the sandbox and the real API server answer alike', () => {
  const namespace = freshName('requests')
  let clusters: ComparedClusters

  beforeAll(async () => {
    clusters = await openComparedClusters(namespace, thingCrd)
  })
  afterAll(() => clusters.close())

  it.each(requestCases)('$name', async ({ requests, ownersAside = false }) => {
    for (const request of requests) {
      const here: Request = { ...request, path: request.path.replaceAll('$NS', namespace) }
      const [theirs, ours] = await Promise.all(clusters.both.map((cluster) => send(cluster, here, ctx)))
      if (theirs === undefined || ours === undefined) throw new Error('one of two answers is missing')
      const shown = (answer: Answer): unknown => ({
        request,
        answer: withOwners(comparable(answer, false), !ownersAside),
      })
      expect(shown(ours)).toEqual(shown(theirs))
    }
  })
})

function withOwners(answer: unknown, owners: boolean): unknown {
  if (owners) return answer
  return JSON.parse(JSON.stringify(answer), (key, value: unknown) => (key === 'managedFields' ? undefined : value))
}
