import { describe, expect, it } from 'vitest'
import { context, type KubeObject, LadingError, manualClock } from '../../core/index.ts'
import { applyObject, type ApplyOptions } from './apply.ts'
import type { ApiResource, Cluster } from '../cluster.ts'
import { statusError } from '../transport/status-error.ts'
import type { KubeRequest, KubeResponse } from '../transport/transport.ts'

type Answer = [status: number, body: object]

const settings: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'shop' },
  data: { a: '1' },
}
const storedAs = (resourceVersion: string, rest: object = {}): KubeObject => ({
  ...settings,
  metadata: { ...settings.metadata, uid: 'u1', resourceVersion, ...rest },
})
const refusal = (code: number, reason?: string, causes?: object[]): Answer => [
  code,
  {
    kind: 'Status',
    status: 'Failure',
    code,
    reason,
    message: 'value hunter2 is wrong',
    details: { name: 'settings', causes },
  },
]
const immutable = refusal(422, 'Invalid', [{ reason: 'FieldValueForbidden', field: 'data' }])

describe('applyObject', () => {
  it('tries again when another writer creates the object at the same moment', async () => {
    const server = scripted({
      PATCH: [refusal(409, 'AlreadyExists'), [200, storedAs('8')]],
      GET: [[200, storedAs('7')]],
    })
    const result = await apply(server, { liveVersion: null })
    expect(result.action).toBe('configured')
    expect(server.sent.map(({ method }) => method)).toEqual(['PATCH', 'GET', 'PATCH'])
  })

  it('binds itself to the version that was read, and lets go of an object that never stands still', async () => {
    const changing = Array.from({ length: 4 }, () => refusal(409, 'Conflict'))
    const server = scripted({ PATCH: [...changing, [200, storedAs('9')]], GET: [[200, storedAs('7')]] })
    expect((await apply(server, {})).action).toBe('configured')
    const versions = server.sent.filter(({ method }) => method === 'PATCH').map(({ body }) => versionOf(body))
    expect(versions).toEqual(['7', '7', '7', '7', undefined])
  })

  it('gives up after some conflicts, and at once when the caller bound it to a version', async () => {
    const always = scripted({ PATCH: [refusal(409, 'Conflict')], GET: [[200, storedAs('7')]] })
    await expect(apply(always, {})).rejects.toMatchObject({ code: 'kube.conflict' })
    expect(always.sent.filter(({ method }) => method === 'PATCH')).toHaveLength(6)
    const bound = scripted({ PATCH: [refusal(409, 'Conflict')] })
    await expect(apply(bound, { liveVersion: '7', ifVersion: '5' })).rejects.toMatchObject({ code: 'kube.conflict' })
    expect(bound.sent.map(({ body }) => versionOf(body))).toEqual(['5'])
  })

  it('applies again when the storage failed for a moment', async () => {
    const server = scripted({
      PATCH: [refusal(500), [200, storedAs('7')]],
      POST: [refusal(409, 'AlreadyExists')],
    })
    expect((await apply(server, { liveVersion: '7' })).action).toBe('unchanged')
  })

  it('keeps the value of a Secret out of an error that the server does not explain', async () => {
    const server = scripted({ PATCH: [refusal(500)], POST: [refusal(403, 'Forbidden')] })
    const secret = { ...settings, kind: 'Secret' }
    const error = await apply(server, { liveVersion: '7' }, secret).catch((failure: unknown) => failure)
    expect(error).toMatchObject({ code: 'kube.server-error' })
    expect(`${(error as Error).message}${String((error as Error).cause)}`).not.toContain('hunter2')
  })

  it('deletes nothing when it may not find out whether a refusal is about immutability', async () => {
    for (const answer of [refusal(403, 'Forbidden'), refusal(400, 'BadRequest'), refusal(422, 'Invalid')]) {
      const server = scripted({ PATCH: [immutable], GET: [[200, storedAs('7')]], POST: [answer] })
      await expect(apply(server, { replace: { allow: 'all' } })).rejects.toMatchObject({ code: 'kube.invalid' })
      expect(server.sent.some(({ method }) => method === 'DELETE')).toBe(false)
    }
  })

  it('says so when the object was deleted but could not be created again', async () => {
    const server = scripted({
      PATCH: [immutable, refusal(403, 'Forbidden')],
      GET: [
        [200, storedAs('7')],
        [200, storedAs('7')],
        [200, { kind: 'List', metadata: { resourceVersion: '9' }, items: [] }],
      ],
      POST: [refusal(409, 'AlreadyExists')],
      DELETE: [[200, { kind: 'Status', status: 'Success' }]],
    })
    const replacing = apply(server, { replace: true })
    await expect(replacing).rejects.toMatchObject({ code: 'kube.forbidden', details: { deleted: true } })
    const [deletion] = server.sent.filter(({ method }) => method === 'DELETE')
    expect(deletion?.body).toMatchObject({ preconditions: { uid: 'u1' }, propagationPolicy: 'Background' })
  })

  it('names the finalizers that hold the old object for too long', async () => {
    const held = storedAs('8', { finalizers: ['shop/hold'], deletionTimestamp: 'now' })
    const server = scripted({
      PATCH: [immutable],
      GET: [
        [200, storedAs('7')],
        [200, storedAs('7')],
        [200, { kind: 'List', metadata: { resourceVersion: '9' }, items: [held] }],
      ],
      POST: [refusal(409, 'AlreadyExists')],
      DELETE: [[200, held]],
    })
    const clock = manualClock()
    const replacing = applyObject(server.cluster, settings, { replace: true }, context({ clock })).catch(
      (error: unknown) => error,
    )
    await server.watching
    await clock.advance(5 * 60_000)
    expect(await replacing).toMatchObject({
      code: 'delete.timeout',
      details: { waitingFor: [{ finalizers: ['shop/hold'] }] },
    })
  })
})

interface Scripted {
  readonly cluster: Cluster
  readonly sent: KubeRequest[]
  /** Settles once a watch is open. */
  readonly watching: Promise<void>
}

/** A server that gives its answers in order, the last one for ever, and whose watches bring nothing. */
function scripted(script: Partial<Record<KubeRequest['method'], Answer[]>>): Scripted {
  const sent: KubeRequest[] = []
  const counts = new Map<string, number>()
  let opened: () => void
  const watching = new Promise<void>((resolve) => (opened = resolve))
  const resource: ApiResource = {
    group: '',
    version: 'v1',
    kind: 'ConfigMap',
    resource: 'configmaps',
    namespaced: true,
    verbs: [],
    shortNames: [],
    categories: [],
    subresources: [],
  }
  const cluster: Cluster = {
    discovery: {
      find: async (gvk) => ({ ...resource, kind: gvk.kind }),
      all: async () => [resource],
      invalidate: () => undefined,
    },
    transport: {
      server: 'https://scripted.invalid',
      identity: 'test',
      close: async () => undefined,
      stream: async (_request, ctx) => {
        opened()
        return { close: () => undefined, [Symbol.asyncIterator]: () => silence(ctx.signal) }
      },
      request: async (request): Promise<KubeResponse> => {
        sent.push(request)
        const answers = script[request.method] ?? []
        const count = counts.get(request.method) ?? 0
        counts.set(request.method, count + 1)
        const [status, body] = answers[Math.min(count, answers.length - 1)] ?? [404, {}]
        if (status >= 400) throw statusError(status, body, request, {})
        return { status, headers: {}, body, warnings: [] }
      },
    },
  }
  return { cluster, sent, watching }
}

async function* silence(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  await new Promise<void>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new LadingError('cancelled', 'closed')), { once: true })
  })
  yield new Uint8Array()
}

async function apply(server: Scripted, options: ApplyOptions, object = settings): ReturnType<typeof applyObject> {
  return await applyObject(server.cluster, object, options, context())
}

function versionOf(body: unknown): string | undefined {
  return (body as KubeObject).metadata.resourceVersion
}
