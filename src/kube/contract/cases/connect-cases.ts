import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { context, isRecord, LadingError } from '../../../core/index.ts'
import { connect, type Connected, type ConnectOptions } from '../../connect/connect.ts'
import type { KubeRequest } from '../../transport/transport.ts'
import { configMap, create } from '../fixtures/fixtures.ts'
import { type CaseContext, type ContractCase, contractCase } from '../harness.ts'

/** Connections, identities, the transport's limits, and refusals told by their facts. */
export const connectCases: readonly ContractCase[] = [
  contractCase('a kubeconfig given by path connects to its current context', async (c) => {
    await connected(c, { namespace: c.namespace }, async (own) => {
      assert.equal(own.transport.server, c.cluster.transport.server)
      assert.equal(own.namespace, c.namespace)
      await own.transport.request(configMapsOf(c), c.ctx)
    })
  }),
  contractCase('a kubeconfig handed over as text connects as well', async (c) => {
    const text = await readFile(c.kubeconfig, 'utf8')
    const own = await connect({ kubeconfigText: text, env: {} }, c.ctx)
    try {
      await own.transport.request(configMapsOf(c), c.ctx)
    } finally {
      await own.close()
    }
  }),
  contractCase('a token that nobody has is unauthorized', async (c) => {
    await connected(c, { token: `wrong-${c.unique}` }, async (own) => {
      const error = await refusal(own.transport.request(configMapsOf(c), c.ctx))
      assert.equal(error.code, 'kube.unauthorized')
      assert.equal(error.details.status, 401)
      assert.ok(!JSON.stringify(error).includes(c.unique), 'the token shows')
    })
  }),
  contractCase('what a user may not do is forbidden, with kind and reason', async (c) => {
    const error = await refusal(c.unprivileged.transport.request(configMapsOf(c), c.ctx))
    assert.equal(error.code, 'kube.forbidden')
    assert.deepEqual(facts(error, 'status', 'reason', 'kind'), { status: 403, reason: 'Forbidden', kind: 'configmaps' })
  }),
  contractCase('a stream that a user may not open is forbidden too', async (c) => {
    const error = await refusal(c.unprivileged.transport.stream({ ...configMapsOf(c), query: { watch: true } }, c.ctx))
    assert.equal(error.code, 'kube.forbidden')
  }),
  contractCase('an impersonated user has that user’s rights', async (c) => {
    await connected(c, { as: `somebody-${c.unique}` }, async (own) => {
      assert.equal((await refusal(own.transport.request(configMapsOf(c), c.ctx))).code, 'kube.forbidden')
    })
  }),
  contractCase('every impersonated group counts', async (c) => {
    await connected(c, { as: 'somebody', asGroups: ['first', 'system:masters', 'last'] }, async (own) => {
      await own.transport.request(configMapsOf(c), c.ctx)
    })
  }),
  contractCase('impersonation itself needs a right', async (c) => {
    const options = { context: 'nobody', as: 'somebody', asGroups: ['system:masters'] }
    await connected(c, options, async (own) => {
      assert.equal((await refusal(own.transport.request(configMapsOf(c), c.ctx))).code, 'kube.forbidden')
    })
  }),
  contractCase('a path that is not served is not found', async (c) => {
    const error = await refusal(c.cluster.transport.request({ method: 'GET', path: '/no/such/path' }, c.ctx))
    assert.equal(error.code, 'kube.not-found')
    assert.equal(error.details.status, 404)
  }),
  contractCase('an object that is not there is not found, with kind and name', async (c) => {
    const error = await refusal(c.cluster.transport.request(configMapsOf(c, 'missing'), c.ctx))
    assert.equal(error.code, 'kube.not-found')
    assert.deepEqual(facts(error, 'reason', 'kind', 'name'), {
      reason: 'NotFound',
      kind: 'configmaps',
      name: 'missing',
    })
  }),
  contractCase('a second create of the same name already exists', async (c) => {
    await create(c, configMap(c, 'twice'))
    const error = await refusal(create(c, configMap(c, 'twice')))
    assert.equal(error.code, 'kube.already-exists')
    assert.equal(error.details.name, 'twice')
  }),
  contractCase('an update of an old version is a conflict', async (c) => {
    const old = await create(c, configMap(c, 'moving'))
    const put = (value: string): Promise<unknown> =>
      c.cluster.transport.request(
        { ...configMapsOf(c, 'moving'), method: 'PUT', body: { ...old, data: { value } } },
        c.ctx,
      )
    await put('one')
    assert.equal((await refusal(put('two'))).code, 'kube.conflict')
  }),
  contractCase('an invalid object is refused with the field and the cause', async (c) => {
    const error = await refusal(create(c, configMap(c, 'Not-A-Name')))
    assert.equal(error.code, 'kube.invalid')
    const causes = error.details.causes ?? []
    assert.deepEqual(
      causes.map(({ field, reason }) => [field, reason]),
      [['metadata.name', 'FieldValueInvalid']],
    )
  }),
  contractCase('a body that is no JSON is a bad request', async (c) => {
    const request: KubeRequest = {
      ...configMapsOf(c),
      method: 'POST',
      body: '{"kind": ',
      contentType: 'application/json',
    }
    assert.equal((await refusal(c.cluster.transport.request(request, c.ctx))).code, 'kube.bad-request')
  }),
  contractCase('a media type that is not understood is unsupported', async (c) => {
    const request: KubeRequest = {
      ...configMapsOf(c),
      method: 'POST',
      body: 'x',
      contentType: 'application/x-nonsense',
    }
    const error = await refusal(c.cluster.transport.request(request, c.ctx))
    assert.equal(error.code, 'kube.unsupported')
    assert.equal(error.details.status, 415)
  }),
  contractCase('a verb that a collection does not have is unsupported', async (c) => {
    const request: KubeRequest = { ...configMapsOf(c), method: 'PUT', body: configMap(c, 'x') }
    const error = await refusal(c.cluster.transport.request(request, c.ctx))
    assert.equal(error.code, 'kube.unsupported')
    assert.equal(error.details.status, 405)
  }),
  contractCase('warnings of the API server surface', async (c) => {
    const body = { ...configMap(c, 'odd'), nonsense: true }
    const query = { fieldValidation: 'Warn' }
    const response = await c.cluster.transport.request({ ...configMapsOf(c), method: 'POST', query, body }, c.ctx)
    assert.equal(response.status, 201)
    assert.equal(response.warnings.length, 1)
    assert.match(response.warnings[0] ?? '', /nonsense/)
  }),
  contractCase('a large object arrives whole, every letter of it', async (c) => {
    const text = '€ü𝄞x'.repeat(80_000)
    await create(c, configMap(c, 'large', { text }))
    const { body } = await c.cluster.transport.request(configMapsOf(c, 'large'), c.ctx)
    assert.ok(isRecord(body) && isRecord(body['data']) && body['data']['text'] === text)
  }),
  contractCase('an answer above the limit is not read, and the next one is', async (c) => {
    await create(c, configMap(c, 'large', { text: 'x'.repeat(500_000) }))
    const request = configMapsOf(c, 'large')
    const error = await refusal(c.cluster.transport.request({ ...request, maxBytes: 100_000 }, c.ctx))
    assert.equal(error.code, 'kube.response-too-large')
    assert.equal((await c.cluster.transport.request(request, c.ctx)).status, 200)
  }),
  contractCase('hundreds of requests at once all come back', async (c) => {
    await create(c, configMap(c, 'popular'))
    const all = Array.from({ length: 300 }, () => c.cluster.transport.request(configMapsOf(c, 'popular'), c.ctx))
    const statuses = new Set((await Promise.all(all)).map((each) => each.status))
    assert.deepEqual([...statuses], [200])
  }),
  contractCase('an abort cancels a request in flight', async (c) => {
    const abort = new AbortController()
    const work = refusal(c.cluster.transport.request(configMapsOf(c), context({ signal: abort.signal })))
    abort.abort()
    assert.equal((await work).code, 'cancelled')
  }),
  contractCase('an abort cancels an open stream', async (c) => {
    const abort = new AbortController()
    const request = { ...configMapsOf(c), query: { watch: true } }
    const stream = await c.cluster.transport.stream(request, context({ signal: abort.signal }))
    const reading = refusal(drain(stream))
    abort.abort()
    assert.equal((await reading).code, 'cancelled')
  }),
  contractCase('a stream yields as things happen and ends when it is closed', async (c) => {
    const stream = await c.cluster.transport.stream({ ...configMapsOf(c), query: { watch: true } }, c.ctx)
    await create(c, configMap(c, 'seen'))
    let text = ''
    for await (const chunk of stream) {
      text += Buffer.from(chunk).toString('utf8')
      if (text.includes('"seen"')) stream.close()
    }
    assert.match(text, /"type":"ADDED"/)
  }),
  contractCase('a server that closes a watch ends its stream without an error', async (c) => {
    const query = { watch: true, timeoutSeconds: 1 }
    await drain(await c.cluster.transport.stream({ ...configMapsOf(c), query }, c.ctx))
  }),
]

function configMapsOf(c: CaseContext, name?: string): KubeRequest {
  const collection = `/api/v1/namespaces/${c.namespace}/configmaps`
  return { method: 'GET', path: name === undefined ? collection : `${collection}/${name}` }
}

async function connected(
  c: CaseContext,
  options: ConnectOptions,
  use: (own: Connected) => Promise<void>,
): Promise<void> {
  const own = await connect({ kubeconfig: c.kubeconfig, ...options }, c.ctx)
  try {
    await use(own)
  } finally {
    await own.close()
  }
}

async function refusal(work: Promise<unknown>): Promise<LadingError> {
  try {
    await work
  } catch (error) {
    assert.ok(error instanceof LadingError, String(error))
    return error
  }
  return assert.fail('was not refused')
}

function facts(error: LadingError, ...names: ('status' | 'reason' | 'kind' | 'name')[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, error.details[name]]))
}

async function drain(stream: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _chunk of stream) continue
}
