import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../core/index.ts'
import { handle } from '../api/handle.ts'
import { parseRequestInfo } from '../api/request-info.ts'
import { resourceRequest } from '../api/resource-request.ts'
import type { Backend } from '../backend.ts'
import { Catalog } from '../catalog.ts'
import { seedNamespaces } from '../seed.ts'
import { StatusError } from '../status-error.ts'
import { Store } from '../store.ts'
import { readKindCases, replay, type Send } from './testdata/kind-cases.ts'

const recorded = JSON.parse(readFileSync(new URL('./testdata/answers.json', import.meta.url), 'utf8')) as unknown[][]
const cases = readKindCases().map((one, index) => ({ one, answers: recorded[index] }))
const namespace = 'kinds-0'

describe('built-in kinds answer as a real API server did', () => {
  const send = sender()
  test.each(cases)('$one.object.kind $one.object.metadata.name', async ({ one, answers }) => {
    const given = await replay(one, namespace, send)
    expect(given.answers).toEqual(answers)
  })
})

/** A server without HTTP and without controllers, so that nothing but the kinds' own rules is at work. */
function sender(): Send {
  const store = new Store()
  const catalog = new Catalog(store)
  const backend: Backend = { store, catalog, clock: systemClock, uid: () => randomUUID(), suffix: () => 'abcde' }
  seedNamespaces(backend)
  const send: Send = async (method, path, body) => {
    const contentType = method === 'POST' ? 'application/json' : 'application/merge-patch+json'
    const query = new URLSearchParams({ fieldManager: 'kinds' })
    try {
      const info = resourceRequest(parseRequestInfo(method, path, query), catalog)
      const answer = handle(backend, { method, info, query, contentType, userAgent: 'test/1', body })
      return { status: answer.code, body: answer.body }
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
      return { status: error.code, body: error.toStatus() }
    }
  }
  void send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  for (const name of ['default', 'other']) {
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } }
    void send('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, account)
  }
  return send
}
