import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { context } from '../src/core/index.ts'
import { connect } from '../src/kube/index.ts'
import { type Sandbox, startSandbox } from '../src/sandbox/index.ts'
import { type Answer, comparable, type Request, send, served } from './random-writes.ts'
import { requestCases, thingCrd } from './request-cases.ts'

const ctx = context()
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

describe('the sandbox and the real API server answer alike', () => {
  const namespace = `requests-${randomBytes(4).toString('hex')}`
  let sandbox: Sandbox
  let real: Awaited<ReturnType<typeof connect>>
  let embedded: Awaited<ReturnType<typeof connect>>

  beforeAll(async () => {
    sandbox = await startSandbox()
    real = await connect({ kubeconfig: inject('kubeconfig') }, ctx)
    embedded = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
    for (const cluster of [real, embedded]) {
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
      await send(cluster, { method: 'POST', path: '/api/v1/namespaces', body }, ctx)
      await send(cluster, { method: 'POST', path: crds, body: thingCrd }, ctx)
      await served(cluster, `/api/v1/namespaces/${namespace}/serviceaccounts/default`, ctx)
      for (const { name } of thingCrd.spec.versions) {
        await served(cluster, `/apis/requests.lading.dev/${String(name)}/namespaces/${namespace}/things`, ctx)
      }
    }
  })

  afterAll(async () => {
    await send(real, { method: 'DELETE', path: `${crds}/${thingCrd.metadata.name}` }, ctx)
    await send(real, { method: 'DELETE', path: `/api/v1/namespaces/${namespace}` }, ctx)
    await real.close()
    await embedded.close()
    await sandbox.stop()
  })

  it.each(requestCases)('$name', async ({ requests, ownersAside = false }) => {
    for (const request of requests) {
      const here: Request = { ...request, path: request.path.replaceAll('$NS', namespace) }
      const [theirs, ours] = await Promise.all([real, embedded].map((cluster) => send(cluster, here, ctx)))
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
