import { describe, expect, it } from 'vitest'
import { bookmark, configMap, events, line, list, status } from '../testing/scripted-server.ts'
import { isBackoff, isSilence, openWatch } from '../testing/open-watch.ts'

describe('a watch', () => {
  it('tells what exists, then that this was all, then every change', async () => {
    const watch = await openWatch(
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
    const watch = await openWatch(
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
    const watch = await openWatch(
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

  it.each([
    [401, 'kube.unauthorized'],
    [403, 'kube.forbidden'],
  ])('throws when the server answers %i', async (code, expected) => {
    const watch = await openWatch({}, [list('10')], [status(code)])
    await watch.next(1)
    await expect(watch.next(1)).rejects.toMatchObject({ code: expected })
  })

  it('throws when rights are taken away while it runs', async () => {
    const watch = await openWatch({}, [list('10')], [events([line('ERROR', { kind: 'Status', code: 403 })], 'close')])
    await watch.next(1)
    await expect(watch.next(1)).rejects.toMatchObject({ code: 'kube.forbidden' })
  })

  it('says that the kind is gone when its path is, and has discovery read again', async () => {
    const watch = await openWatch(
      {},
      [list('10')],
      [(response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n')],
    )
    await watch.next(1)
    await expect(watch.next(1)).rejects.toMatchObject({ code: 'kube.unknown-kind' })
    expect(watch.server.invalidations()).toBe(1)
  })

  it('throws when the first list fails', async () => {
    const watch = await openWatch({}, [status(503)], [])
    await expect(watch.next(1)).rejects.toMatchObject({ code: 'kube.server-error' })
  })

  it('ends at once when it is aborted while it waits for an event', async () => {
    const watch = await openWatch({}, [list('10')], [events([])])
    await watch.next(1)
    const next = watch.next(1)
    await watch.clock.untilSleeping(isSilence)
    watch.abort()
    await expect(next).rejects.toMatchObject({ code: 'cancelled' })
    expect(watch.clock.sleeping).toBe(0)
  })

  it('ends at once when it is aborted between two connections', async () => {
    const watch = await openWatch({}, [list('10')], [status(500)])
    await watch.next(1)
    const next = watch.next(1)
    await watch.clock.untilSleeping(isBackoff)
    watch.abort()
    await expect(next).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('closes its connection when the consumer has seen enough', async () => {
    let closed = (): void => undefined
    const gone = new Promise<void>((resolve) => (closed = resolve))
    const watch = await openWatch(
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
    const watch = await openWatch(
      { name: 'a', labelSelector: 'x=y', fieldSelector: 'metadata.namespace=ns', namespace: 'ns' },
      [list('10')],
      [events([bookmark('11')])],
    )
    await watch.next(2)
    for (const request of watch.server.requests) {
      expect(request.path).toBe('/api/v1/namespaces/ns/configmaps')
      expect(request.query.get('fieldSelector')).toBe('metadata.name=a,metadata.namespace=ns')
      expect(request.query.get('labelSelector')).toBe('x=y')
    }
    expect(watch.server.requests[1]?.query.get('limit')).toBeNull()
  })

  it('asks for metadata alone and still names objects by their kind', async () => {
    const partial = { ...configMap('a', '11'), apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' }
    const watch = await openWatch({ metadataOnly: true }, [list('10')], [events([line('ADDED', partial)])])
    await watch.next(2)
    expect(watch.server.requests.map((request) => /as=(\w+)/.exec(request.accept)?.[1])).toEqual([
      'PartialObjectMetadataList',
      'PartialObjectMetadata',
    ])
    expect(watch.seen[1]).toMatchObject({ object: { apiVersion: 'v1', kind: 'ConfigMap' } })
  })

  it('begins after a list that was already taken', async () => {
    const from = { items: [configMap('a', '1'), configMap('b', '2')], resourceVersion: '10' }
    const watch = await openWatch({ from }, [list('30', configMap('a', '1'))], [status(410), events([bookmark('31')])])
    expect(await watch.next(3)).toEqual(['deleted b@2', 'relisted @30', 'bookmark @31'])
    expect(watch.watchedFrom()).toEqual(['10', '30'])
  })
})
