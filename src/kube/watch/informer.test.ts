import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import { type Informer, type InformerEvent, startInformer } from './informer.ts'
import {
  configMap,
  events,
  line,
  list,
  listsAndWatches,
  type Script,
  type ScriptedServer,
  startScriptedServer,
  status,
} from '../testing/scripted-server.ts'

const gvk = { group: '', version: 'v1', kind: 'ConfigMap' }

let server: ScriptedServer
let informer: Informer
afterEach(async () => {
  informer.close()
  await informer.ended
  await server.close()
})

describe('an informer', () => {
  it('lists by namespace and name, whatever order the server has', async () => {
    await start([list('10', configMap('b', '1'), inNamespace('aa', 'z'), configMap('a', '2'))], [events([])])
    await informer.synced
    expect(informer.list().map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
      'aa/z',
      'ns/a',
      'ns/b',
    ])
    expect(informer.list('ns').map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
    expect(informer.list('none')).toEqual([])
    expect(informer.list()).toBe(informer.list())
  })

  it('lists what is there now, not what was when it was last asked', async () => {
    const watching = Promise.withResolvers<ServerResponse>()
    const told = await start(
      [list('10', configMap('b', '1'))],
      [
        (response, request) => {
          events([])(response, request)
          watching.resolve(response)
        },
      ],
    )
    await informer.synced
    const lists = (): string[] =>
      [undefined, 'ns'].map((ns) =>
        informer
          .list(ns)
          .map((one) => one.metadata.name)
          .join(' '),
      )
    expect(lists()).toEqual(['b', 'b'])
    ;(await watching.promise).write(`${JSON.stringify(line('ADDED', configMap('a', '11')))}\n`)
    await told(2)
    expect(lists()).toEqual(['a b', 'a b'])
  })

  it('tells subscribers each change with what was before, until they unsubscribe', async () => {
    const told = await start(
      [list('10', configMap('a', '1', 'old'))],
      [
        events([
          line('MODIFIED', configMap('a', '11', 'new')),
          line('ADDED', configMap('b', '12')),
          line('DELETED', configMap('b', '13', 'last')),
        ]),
      ],
    )
    const all = await told(4)
    expect(all.map(({ type, object }) => `${type} ${object.metadata.name}@${object.metadata.resourceVersion}`)).toEqual(
      ['added a@1', 'modified a@11', 'added b@12', 'deleted b@13'],
    )
    expect(all[1]?.previous?.['data']).toEqual({ value: 'old' })
    expect(informer.list().map(({ metadata }) => metadata.resourceVersion)).toEqual(['11'])
    expect(informer.get({ namespace: 'ns', name: 'b' })).toBeUndefined()
  })

  it('knows what an object was that was deleted while nobody watched', async () => {
    const told = await start([list('10', configMap('a', '1', 'last words')), list('20')], [status(410), events([])])
    expect((await told(2))[1]).toMatchObject({ type: 'deleted', object: { data: { value: 'last words' } } })
    expect(informer.list()).toEqual([])
  })

  it('keeps managedFields only when it is told to', async () => {
    const owned = configMap('a', '1')
    owned.metadata.managedFields = [{ manager: 'kubectl' }]
    await start([list('10', owned)], [events([])])
    await informer.synced
    expect(informer.get({ namespace: 'ns', name: 'a' })?.metadata).not.toHaveProperty('managedFields')
    const full = startInformer(server.cluster, { gvk, keepManagedFields: true }, context())
    await full.synced
    expect(full.get({ namespace: 'ns', name: 'a' })?.metadata.managedFields).toEqual([{ manager: 'kubectl' }])
    full.close()
    expect(await full.ended).toBeUndefined()
  })

  it('goes on when a subscriber fails', async () => {
    const told = await start([list('10')], [events([line('ADDED', configMap('a', '11'))])], () => {
      throw new Error('a defect')
    })
    expect(await told(1)).toHaveLength(1)
  })

  it('says why it could not start', async () => {
    await start([status(403)], [])
    await expect(informer.synced).rejects.toMatchObject({ code: 'kube.forbidden' })
    expect(await informer.ended).toMatchObject({ code: 'kube.forbidden' })
  })

  it('says why it stopped, and that it was not asked to', async () => {
    await start([list('10')], [status(403)])
    await informer.synced
    expect(await informer.ended).toMatchObject({ code: 'kube.forbidden' })
  })
})

function inNamespace(namespace: string, name: string) {
  const object = configMap(name, '1')
  return { ...object, metadata: { ...object.metadata, namespace } }
}

/** Starts the informer; gives a function that waits for as many changes since. */
async function start(lists: readonly Script[], watches: readonly Script[], listener?: () => void) {
  server = await startScriptedServer(listsAndWatches(lists, watches))
  informer = startInformer(server.cluster, { gvk }, context())
  if (listener !== undefined) informer.subscribe(listener)
  const seen: InformerEvent[] = []
  let woken = (): void => undefined
  informer.subscribe((event) => {
    seen.push(event)
    woken()
  })
  return async (count: number): Promise<InformerEvent[]> => {
    while (seen.length < count) await new Promise<void>((resolve) => (woken = resolve))
    return seen
  }
}
