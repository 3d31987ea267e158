import { type BarePool, type BareTarget, openBarePool } from '../bare/bare-pool.ts'
import { sendSet } from '../bare/bare-set.ts'
import { configMaps } from '../fixtures/object-sets.ts'
import { type Sample, timed } from '../measure/sample.ts'

/** Creates objects by the pool `writing` while many watch, and measures until every watcher has been told of every object. */
export async function watchFanOut(
  target: BareTarget,
  writing: BarePool,
  namespace: string,
  watchers: number,
  objects: number,
  signal: AbortSignal,
): Promise<Sample> {
  const ended = new AbortController()
  const watching = openBarePool(target, watchers)
  try {
    const opened = Array.from({ length: watchers }, () =>
      openWatch(watching, namespace, AbortSignal.any([signal, ended.signal])),
    )
    const streams = await Promise.all(opened)
    return await timed(async () => {
      const told = streams.map((stream) => countLines(stream, objects))
      await sendSet(writing, 'apply', configMaps(objects), namespace)
      await Promise.all(told)
    })
  } finally {
    ended.abort()
    await watching.close()
  }
}

async function openWatch(pool: BarePool, namespace: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const path = `/api/v1/namespaces/${namespace}/configmaps`
  // By label, for a control plane puts a ConfigMap of its own into each namespace.
  const selector = 'labelSelector=app.kubernetes.io%2Fpart-of%3Dbench'
  const { body } = await pool.request('GET', `${path}?${selector}&limit=1`)
  return pool.stream(`${path}?watch=true&${selector}&resourceVersion=${body.metadata?.resourceVersion}`, signal)
}

// An event is a line; the events are not parsed, so that it is not the client that is measured.
async function countLines(stream: AsyncIterable<Uint8Array>, wanted: number): Promise<void> {
  let lines = 0
  for await (const chunk of stream) {
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) lines++
    if (lines >= wanted) return
  }
  throw new Error(`a watch ended after ${lines} of ${wanted} events`)
}

const newline = 10
