import { onTestFinished } from 'vitest'
import { context, type KubeObject } from '../../core/index.ts'
import { watchObjects, type WatchEvent, type WatchQuery } from '../watch/watch.ts'
import { listsAndWatches, type Script, startScriptedServer, watchedClock } from './scripted-server.ts'

const gvk = { group: '', version: 'v1', kind: 'ConfigMap' }

/** Whether a pause is one between two attempts to connect. */
export const isBackoff = (ms: number): boolean => ms <= 30_000
/** Whether a pause is the time after which a silent connection is given up. */
export const isSilence = (ms: number): boolean => ms === 90_000

/** Watches ConfigMaps of a server that answers lists and watches as told, by a clock that the test moves. */
export async function openWatch(query: Partial<WatchQuery>, lists: readonly Script[], watches: readonly Script[]) {
  const server = await startScriptedServer(listsAndWatches(lists, watches))
  const clock = watchedClock()
  const controller = new AbortController()
  onTestFinished(async () => {
    controller.abort()
    await server.close()
  })
  const iterator = watchObjects(server.cluster, { gvk, ...query }, context({ signal: controller.signal, clock }))
  const seen: WatchEvent[] = []
  return {
    server,
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
