import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { type Context, context, type KubeObject } from '../core/index.ts'
import {
  bookmark,
  configMap,
  events,
  json,
  line,
  list,
  listsAndWatches,
  type Script,
  type ScriptedServer,
  startScriptedServer,
  status,
  watchedClock,
} from './testing/scripted-server.ts'
import { watchObjects, type WatchEvent, type WatchQuery } from './watch.ts'

const gvk = { group: '', version: 'v1', kind: 'ConfigMap' }
const backoff = (ms: number): boolean => ms <= 30_000
const silence = (ms: number): boolean => ms === 90_000

let server: ScriptedServer
const stop = new Set<AbortController>()

afterEach(async () => {
  for (const each of stop) each.abort()
  stop.clear()
  await server.close()
})

describe('a watch', () => {
  it('tells what exists, then that this was all, then every change', async () => {
    const watch = await open(
      {},
      [list('10', configMap('a', '3'), configMap('b', '4'))],
      [
        events([
          line('MODIFIED', configMap('a', '11')),
          line('ADDED', configMap('c', '12')),
          line('DELETED', configMap('b', '13')),
        ]),
      ],
    )
    expect(await watch.next(6)).toEqual([
      'added a@3',
      'added b@4',
      'synced @10',
      'modified a@11',
      'added c@12',
      'deleted b@13',
    ])
    expect(watch.watchedFrom()).toEqual(['10'])
  })

  it('gives objects their apiVersion and kind, and bigger integers exactly', async () => {
    const watch = await open(
      {},
      [list('10', configMap('a', '3'))],
      [events([`{"type":"ADDED","object":{"metadata":{"name":"b","resourceVersion":"11"},"big":9007199254740993}}\n`])],
    )
    await watch.next(3)
    expect(watch.seen[0]).toMatchObject({ object: { apiVersion: 'v1', kind: 'ConfigMap' } })
    expect(watch.seen[2]).toMatchObject({ object: { apiVersion: 'v1', kind: 'ConfigMap', big: 9007199254740993n } })
  })

  it('reads events wherever the chunks are cut, also inside a character', async () => {
    const text = `${JSON.stringify(line('ADDED', configMap('a', '11', 'grün 🚀')))}\n${JSON.stringify(bookmark('12'))}\n`
    const watch = await open(
      {},
      [list('10')],
      [
        (response) => {
          response.writeHead(200, { 'content-type': 'application/json' })
          response.socket?.setNoDelay(true)
          const bytes = Buffer.from(text)
          const send = (at: number): void => {
            if (at < bytes.length) response.write(bytes.subarray(at, at + 1), () => send(at + 1))
          }
          send(0)
        },
      ],
    )
    expect(await watch.next(3)).toEqual(['synced @10', 'added a@11', 'bookmark @12'])
    expect(watch.seen[1]).toMatchObject({ object: { data: { value: 'grün 🚀' } } })
  })

  it('resumes after the last event when the connection breaks in the middle of a line', async () => {
    const watch = await open(
      {},
      [list('10')],
      [
        events([line('ADDED', configMap('a', '11')), '{"type":"ADDED","object":{"meta'], 'reset'),
        events([line('ADDED', configMap('b', '12'))]),
      ],
    )
    expect(await watch.next(2)).toEqual(['synced @10', 'added a@11'])
    const next = watch.next(1)
    await watch.clock.untilSleeping(backoff)
    await watch.clock.advance(1000)
    expect(await next).toEqual(['added b@12'])
    expect(watch.watchedFrom()).toEqual(['10', '11'])
  })

  it('drops an event that was cut off although its connection ended cleanly', async () => {
    const whole = JSON.stringify(line('ADDED', configMap('b', '12')))
    const watch = await open(
      {},
      [list('10')],
      [
        events([line('ADDED', configMap('a', '11')), whole.slice(0, -1)], 'close'),
        events([line('ADDED', configMap('b', '12'))]),
      ],
    )
    expect(await watch.next(3)).toEqual(['synced @10', 'added a@11', 'added b@12'])
  })

  it('resumes at once from the last bookmark when the server closes it in time', async () => {
    const watch = await open(
      {},
      [list('10')],
      [events([bookmark('50')], 'close'), events([line('ADDED', configMap('a', '51'))])],
    )
    expect(await watch.next(3)).toEqual(['synced @10', 'bookmark @50', 'added a@51'])
    expect(watch.watchedFrom()).toEqual(['10', '50'])
    expect(server.requests.at(-1)?.query.get('allowWatchBookmarks')).toBe('true')
  })

  it('tells nothing twice when a resumed connection repeats it', async () => {
    const watch = await open(
      {},
      [list('10', configMap('a', '9'))],
      [events([line('ADDED', configMap('a', '9')), line('MODIFIED', configMap('a', '11'))])],
    )
    expect(await watch.next(3)).toEqual(['added a@9', 'synced @10', 'modified a@11'])
  })

  const expired = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' }
  const forgotten: [string, Script][] = [
    ['refuses the watch with 410', status(410, { reason: 'Expired' })],
    ['sends an error event with 410', events([line('ERROR', expired)], 'close')],
  ]
  it.each(forgotten)('tells the difference, deletions included, when the server %s', async (_name, refusal) => {
    const before = [configMap('same', '1'), configMap('changed', '2'), configMap('gone', '3'), configMap('new', '4')]
    const after = [
      configMap('same', '1'),
      configMap('changed', '20'),
      configMap('new', '22', '', 'other'),
      configMap('x', '21'),
    ]
    const watch = await open({}, [list('10', ...before), list('30', ...after)], [refusal, events([bookmark('31')])])
    await watch.next(5)
    expect(await watch.next(7)).toEqual([
      'deleted gone@3',
      'deleted new@4',
      'modified changed@20',
      'added new@22',
      'added x@21',
      'relisted @30',
      'bookmark @31',
    ])
    expect(watch.watchedFrom()).toEqual(['10', '30'])
    expect(watch.seen[5]).toEqual({
      type: 'deleted',
      object: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'gone', namespace: 'ns', uid: 'uid-gone', resourceVersion: '3' },
      },
    })
  })

  it('gives a server time that refuses again what it has just listed', async () => {
    const watch = await open(
      {},
      [list('10'), list('20'), list('30')],
      [status(410), status(410), events([bookmark('31')])],
    )
    expect(await watch.next(2)).toEqual(['synced @10', 'relisted @20'])
    const next = watch.next(2)
    await watch.clock.untilSleeping(backoff)
    await watch.clock.advance(2000)
    expect(await next).toEqual(['relisted @30', 'bookmark @31'])
  })

  it('makes another connection when one is silent for too long', async () => {
    const watch = await open({}, [list('10')], [events([]), events([line('ADDED', configMap('a', '11'))])])
    await watch.next(1)
    const next = watch.next(1)
    await watch.clock.untilSleeping(silence)
    await watch.clock.advance(89_999)
    expect(watch.watchedFrom()).toEqual(['10'])
    await watch.clock.advance(1)
    await watch.clock.untilSleeping(backoff)
    await watch.clock.advance(1000)
    expect(await next).toEqual(['added a@11'])
    expect(watch.watchedFrom()).toEqual(['10', '10'])
  })

  it('does not take a slow consumer for a silent server', async () => {
    const first = Promise.withResolvers<ServerResponse>()
    const watch = await open(
      {},
      [list('10')],
      [
        (response, request) => {
          events([line('ADDED', configMap('a', '11'))])(response, request)
          first.resolve(response)
        },
        events([]),
      ],
    )
    await watch.next(2)
    await watch.clock.advance(1_000_000)
    ;(await first.promise).write(`${JSON.stringify(bookmark('12'))}\n`)
    expect(await watch.next(1)).toEqual(['bookmark @12'])
    expect(watch.watchedFrom()).toEqual(['10'])
  })

  it('lists anew when connections open but bring nothing, so that it cannot be blind for long', async () => {
    const lists = [list('10', configMap('a', '1')), list('5', configMap('b', '2'))]
    const watches = [...Array.from({ length: 6 }, () => events([])), events([bookmark('6')])]
    const watch = await open({}, lists, watches)
    await watch.next(2)
    const next = watch.next(4)
    for (const _ of Array.from({ length: 6 })) {
      await watch.clock.untilSleeping(silence)
      expect(watch.lists()).toBe(1)
      await watch.clock.advance(90_000)
      await watch.clock.untilSleeping(backoff)
      await watch.clock.advance(30_000)
    }
    expect(await next).toEqual(['deleted a@1', 'added b@2', 'relisted @5', 'bookmark @6'])
  })

  it('does not hammer a server that closes every watch at once', async () => {
    const watch = await open({}, [list('10')], [events([], 'close'), events([line('ADDED', configMap('a', '11'))])])
    await watch.next(1)
    const next = watch.next(1)
    await watch.clock.untilSleeping(backoff)
    expect(watch.watchedFrom()).toHaveLength(1)
    await watch.clock.advance(1000)
    expect(await next).toEqual(['added a@11'])
  })

  it('waits as long as a busy server asks', async () => {
    const busy = status(429, { reason: 'TooManyRequests', details: { retryAfterSeconds: 20 } })
    const watch = await open({}, [list('10')], [busy, events([bookmark('11')])])
    await watch.next(1)
    const next = watch.next(1)
    await watch.clock.untilSleeping((ms) => ms >= 20_000)
    await watch.clock.advance(21_000)
    expect(await next).toEqual(['bookmark @11'])
  })

  it('keeps trying while the server fails, and resumes without listing', async () => {
    const watch = await open({}, [list('10')], [status(500), status(503), status(500), events([bookmark('11')])])
    await watch.next(1)
    const next = watch.next(1)
    for (let failure = 0; failure < 3; failure++) {
      await watch.clock.untilSleeping(backoff)
      await watch.clock.advance(30_000)
    }
    expect(await next).toEqual(['bookmark @11'])
    expect(watch.watchedFrom()).toEqual(['10', '10', '10', '10'])
    expect(server.requests).toHaveLength(5)
  })

  it('waits longer after each failure, and not after one that came long ago', async () => {
    const watch = await open(
      {},
      [list('10')],
      [status(500), status(500), status(500), events([bookmark('11')], 'reset'), events([bookmark('12')])],
    )
    await watch.next(1)
    const next = watch.next(2)
    for (const longest of [500, 1000, 2000, 500]) {
      await watch.clock.untilSleeping((ms) => ms >= longest / 2 && ms <= longest)
      await watch.clock.advance(longest)
    }
    expect(await next).toEqual(['bookmark @11', 'bookmark @12'])
  })

  it.each([
    [401, 'kube.unauthorized'],
    [403, 'kube.forbidden'],
  ])('throws when the server answers %i', async (code, expected) => {
    const watch = await open({}, [list('10')], [status(code)])
    await watch.next(1)
    await expect(watch.next(1)).rejects.toMatchObject({ code: expected })
  })

  it('throws when rights are taken away while it runs', async () => {
    const watch = await open({}, [list('10')], [events([line('ERROR', { kind: 'Status', code: 403 })], 'close')])
    await watch.next(1)
    await expect(watch.next(1)).rejects.toMatchObject({ code: 'kube.forbidden' })
  })

  it('says that the kind is gone when its path is, and has discovery read again', async () => {
    const watch = await open(
      {},
      [list('10')],
      [(response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n')],
    )
    await watch.next(1)
    await expect(watch.next(1)).rejects.toMatchObject({ code: 'kube.unknown-kind' })
    expect(server.invalidations()).toBe(1)
  })

  it('throws when the first list fails', async () => {
    const watch = await open({}, [status(503)], [])
    await expect(watch.next(1)).rejects.toMatchObject({ code: 'kube.server-error' })
  })

  it('ends at once when it is aborted while it waits for an event', async () => {
    const watch = await open({}, [list('10')], [events([])])
    await watch.next(1)
    const next = watch.next(1)
    await watch.clock.untilSleeping(silence)
    watch.abort()
    await expect(next).rejects.toMatchObject({ code: 'cancelled' })
    expect(watch.clock.sleeping).toBe(0)
  })

  it('ends at once when it is aborted between two connections', async () => {
    const watch = await open({}, [list('10')], [status(500)])
    await watch.next(1)
    const next = watch.next(1)
    await watch.clock.untilSleeping(backoff)
    watch.abort()
    await expect(next).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('closes its connection when the consumer has seen enough', async () => {
    let closed = (): void => undefined
    const gone = new Promise<void>((resolve) => (closed = resolve))
    const watch = await open(
      {},
      [list('10')],
      [
        (response, request) => {
          response.on('close', () => closed())
          events([line('ADDED', configMap('a', '11'))])(response, request)
        },
      ],
    )
    await watch.next(2)
    await watch.iterator.return(undefined)
    await gone
    expect(watch.clock.sleeping).toBe(0)
  })

  it('watches one object by name, and what selectors choose', async () => {
    const watch = await open(
      { name: 'a', labelSelector: 'x=y', fieldSelector: 'metadata.namespace=ns', namespace: 'ns' },
      [list('10')],
      [events([bookmark('11')])],
    )
    await watch.next(2)
    for (const request of server.requests) {
      expect(request.path).toBe('/api/v1/namespaces/ns/configmaps')
      expect(request.query.get('fieldSelector')).toBe('metadata.name=a,metadata.namespace=ns')
      expect(request.query.get('labelSelector')).toBe('x=y')
    }
    expect(server.requests[1]?.query.get('limit')).toBeNull()
  })

  it('asks for metadata alone and still names objects by their kind', async () => {
    const partial = { ...configMap('a', '11'), apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' }
    const watch = await open({ metadataOnly: true }, [list('10')], [events([line('ADDED', partial)])])
    await watch.next(2)
    expect(server.requests.map((request) => /as=(\w+)/.exec(request.accept)?.[1])).toEqual([
      'PartialObjectMetadataList',
      'PartialObjectMetadata',
    ])
    expect(watch.seen[1]).toMatchObject({ object: { apiVersion: 'v1', kind: 'ConfigMap' } })
  })

  it('begins after a list that was already taken', async () => {
    const from = { items: [configMap('a', '1'), configMap('b', '2')], resourceVersion: '10' }
    const watch = await open({ from }, [list('30', configMap('a', '1'))], [status(410), events([bookmark('31')])])
    expect(await watch.next(3)).toEqual(['deleted b@2', 'relisted @30', 'bookmark @31'])
    expect(watch.watchedFrom()).toEqual(['10', '30'])
  })

  it('takes a broken event for a broken connection', async () => {
    const watch = await open({}, [list('10')], [events(['{"type":\n']), events([bookmark('11')])])
    await watch.next(1)
    const next = watch.next(1)
    await watch.clock.untilSleeping(backoff)
    await watch.clock.advance(1000)
    expect(await next).toEqual(['bookmark @11'])
  })

  it('keeps listing until it may when history is gone and the server is down', async () => {
    const lists = [list('10', configMap('a', '1')), status(500), json(200, 'nonsense'), list('30')]
    const watch = await open({}, lists, [status(410), events([bookmark('31')])])
    await watch.next(2)
    const next = watch.next(3)
    for (let failure = 0; failure < 2; failure++) {
      await watch.clock.untilSleeping(backoff)
      await watch.clock.advance(30_000)
    }
    expect(await next).toEqual(['deleted a@1', 'relisted @30', 'bookmark @31'])
  })
})

async function open(query: Partial<WatchQuery>, lists: readonly Script[], watches: readonly Script[]) {
  server = await startScriptedServer(listsAndWatches(lists, watches))
  const clock = watchedClock()
  const controller = new AbortController()
  stop.add(controller)
  const ctx: Context = context({ signal: controller.signal, clock })
  const iterator = watchObjects(server.cluster, { gvk, ...query }, ctx)
  const seen: WatchEvent[] = []
  return {
    clock,
    iterator,
    seen,
    abort: () => controller.abort(),
    /** The next events, in short. */
    async next(count: number): Promise<string[]> {
      const told: string[] = []
      while (told.length < count) {
        const { value, done } = await iterator.next()
        if (done === true) break
        seen.push(value)
        told.push(short(value))
      }
      return told
    },
    lists: () => server.requests.filter(({ query }) => !query.has('watch')).length,
    watchedFrom: () =>
      server.requests.filter(({ query }) => query.has('watch')).map(({ query }) => query.get('resourceVersion')),
  }
}

function short(event: WatchEvent): string {
  if (!('object' in event)) return `${event.type} @${event.resourceVersion}`
  const { metadata }: KubeObject = event.object
  return `${event.type} ${metadata.name}@${metadata.resourceVersion}`
}
