import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { bookmark, configMap, events, json, line, list, type Script, status } from '../testing/scripted-server.ts'
import { isBackoff, isSilence, openWatch } from '../testing/open-watch.ts'

describe('a watch whose connection is lost', () => {
  it('resumes after the last event when the connection breaks in the middle of a line', async () => {
    const watch = await openWatch(
      {},
      [list('10')],
      [
        events([line('ADDED', configMap('a', '11')), '{"type":"ADDED","object":{"meta'], 'reset'),
        events([line('ADDED', configMap('b', '12'))]),
      ],
    )
    expect(await watch.next(2)).toEqual(['synced @10', 'added a@11'])
    const next = watch.next(1)
    await watch.clock.untilSleeping(isBackoff)
    await watch.clock.advance(1000)
    expect(await next).toEqual(['added b@12'])
    expect(watch.watchedFrom()).toEqual(['10', '11'])
  })

  it('drops an event that was cut off although its connection ended cleanly', async () => {
    const whole = JSON.stringify(line('ADDED', configMap('b', '12')))
    const watch = await openWatch(
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
    const watch = await openWatch(
      {},
      [list('10')],
      [events([bookmark('50')], 'close'), events([line('ADDED', configMap('a', '51'))])],
    )
    expect(await watch.next(3)).toEqual(['synced @10', 'bookmark @50', 'added a@51'])
    expect(watch.watchedFrom()).toEqual(['10', '50'])
    expect(watch.server.requests.at(-1)?.query.get('allowWatchBookmarks')).toBe('true')
  })

  it('tells nothing twice when a resumed connection repeats it', async () => {
    const watch = await openWatch(
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
    const watch = await openWatch(
      {},
      [list('10', ...before), list('30', ...after)],
      [refusal, events([bookmark('31')])],
    )
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
    const watch = await openWatch(
      {},
      [list('10'), list('20'), list('30')],
      [status(410), status(410), events([bookmark('31')])],
    )
    expect(await watch.next(2)).toEqual(['synced @10', 'relisted @20'])
    const next = watch.next(2)
    await watch.clock.untilSleeping(isBackoff)
    await watch.clock.advance(2000)
    expect(await next).toEqual(['relisted @30', 'bookmark @31'])
  })

  it('makes another connection when one is silent for too long', async () => {
    const watch = await openWatch({}, [list('10')], [events([]), events([line('ADDED', configMap('a', '11'))])])
    await watch.next(1)
    const next = watch.next(1)
    await watch.clock.untilSleeping(isSilence)
    await watch.clock.advance(89_999)
    expect(watch.watchedFrom()).toEqual(['10'])
    await watch.clock.advance(1)
    await watch.clock.untilSleeping(isBackoff)
    await watch.clock.advance(1000)
    expect(await next).toEqual(['added a@11'])
    expect(watch.watchedFrom()).toEqual(['10', '10'])
  })

  it('does not take a slow consumer for a silent server', async () => {
    const first = Promise.withResolvers<ServerResponse>()
    const watch = await openWatch(
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
    const watch = await openWatch({}, lists, watches)
    await watch.next(2)
    const next = watch.next(4)
    for (const _ of Array.from({ length: 6 })) {
      await watch.clock.untilSleeping(isSilence)
      expect(watch.lists()).toBe(1)
      await watch.clock.advance(90_000)
      await watch.clock.untilSleeping(isBackoff)
      await watch.clock.advance(30_000)
    }
    expect(await next).toEqual(['deleted a@1', 'added b@2', 'relisted @5', 'bookmark @6'])
  })

  it('does not hammer a server that closes every watch at once', async () => {
    const watch = await openWatch(
      {},
      [list('10')],
      [events([], 'close'), events([line('ADDED', configMap('a', '11'))])],
    )
    await watch.next(1)
    const next = watch.next(1)
    await watch.clock.untilSleeping(isBackoff)
    expect(watch.watchedFrom()).toHaveLength(1)
    await watch.clock.advance(1000)
    expect(await next).toEqual(['added a@11'])
  })

  it('waits as long as a busy server asks', async () => {
    const busy = status(429, { reason: 'TooManyRequests', details: { retryAfterSeconds: 20 } })
    const watch = await openWatch({}, [list('10')], [busy, events([bookmark('11')])])
    await watch.next(1)
    const next = watch.next(1)
    await watch.clock.untilSleeping((ms) => ms >= 20_000)
    await watch.clock.advance(21_000)
    expect(await next).toEqual(['bookmark @11'])
  })

  it('keeps trying while the server fails, and resumes without listing', async () => {
    const watch = await openWatch({}, [list('10')], [status(500), status(503), status(500), events([bookmark('11')])])
    await watch.next(1)
    const next = watch.next(1)
    for (let failure = 0; failure < 3; failure++) {
      await watch.clock.untilSleeping(isBackoff)
      await watch.clock.advance(30_000)
    }
    expect(await next).toEqual(['bookmark @11'])
    expect(watch.watchedFrom()).toEqual(['10', '10', '10', '10'])
    expect(watch.server.requests).toHaveLength(5)
  })

  it('waits longer after each failure, and not after one that came long ago', async () => {
    const watch = await openWatch(
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

  it('takes a broken event for a broken connection', async () => {
    const watch = await openWatch({}, [list('10')], [events(['{"type":\n']), events([bookmark('11')])])
    await watch.next(1)
    const next = watch.next(1)
    await watch.clock.untilSleeping(isBackoff)
    await watch.clock.advance(1000)
    expect(await next).toEqual(['bookmark @11'])
  })

  it('keeps listing until it may when history is gone and the server is down', async () => {
    const lists = [list('10', configMap('a', '1')), status(500), json(200, 'nonsense'), list('30')]
    const watch = await openWatch({}, lists, [status(410), events([bookmark('31')])])
    await watch.next(2)
    const next = watch.next(3)
    for (let failure = 0; failure < 2; failure++) {
      await watch.clock.untilSleeping(isBackoff)
      await watch.clock.advance(30_000)
    }
    expect(await next).toEqual(['deleted a@1', 'relisted @30', 'bookmark @31'])
  })
})
