import type { ServerResponse } from 'node:http'
import { type KubeObject, stringifyJson } from '../../core/index.ts'
import { numberOf, switchOf } from '../api/parameters.ts'
import type { ResourceRequest } from '../api/resource-request.ts'
import { bookmark, watch, type WatchLine } from '../api/read/watch.ts'
import type { Backend } from '../backend.ts'
import { StatusError } from '../status-error.ts'

/** How a line's object is shown; watches can ask for metadata or table rows too. */
export type ShowObject = (line: WatchLine) => unknown

/** A line of a watch as bytes. */
export type LineBytes = (type: WatchLine['type'], object: unknown) => Buffer

/** Makes lines; a change that many watchers are told of is written out once, for they are told one after the other. */
export function lineBytes(): LineBytes {
  let last: { type: string; object: unknown; bytes: Buffer } = { type: '', object: undefined, bytes: Buffer.alloc(0) }
  return (type, object) => {
    if (last.object !== object || last.type !== type) {
      last = { type, object, bytes: Buffer.from(`${stringifyJson({ type, object })}\n`) }
    }
    return last.bytes
  }
}

// A watcher that does not read is cut off, as by an API server, before it costs everybody's memory.
const unreadLimit = 64 * 1024 * 1024

/** Answers a watch: lines of JSON until the client leaves or the asked time is over, with bookmarks when asked for. */
export function streamWatch(
  backend: Backend,
  info: ResourceRequest,
  query: URLSearchParams,
  response: ServerResponse,
  show: ShowObject,
  bytesOf: LineBytes,
): void {
  let open = false
  const early: WatchLine[] = []
  const write = (line: WatchLine): void => {
    if (!open) early.push(line)
    else if (response.writableLength > unreadLimit) response.destroy()
    else response.write(bytesOf(line.type, show(line)))
  }
  const seconds = numberOf(query, 'timeoutSeconds') ?? 0
  // Refusals have to come before the first byte, so lines wait until the watch has started.
  const stop = startOrExpire(() => watch(backend, info, query, write), write)
  response.writeHead(200, { 'content-type': 'application/json' })
  response.flushHeaders()
  open = true
  for (const line of early) write(line)
  if (stop === undefined) {
    response.end()
    return
  }

  const bookmarks = switchOf(query, 'allowWatchBookmarks') === true
  const leaving = new AbortController()
  response.once('close', () => {
    stop()
    leaving.abort()
  })
  const limit = seconds > 0 ? seconds * 1000 : 30 * 60_000
  void endAfter(limit)

  async function endAfter(ms: number): Promise<void> {
    const minute = 60_000
    try {
      for (let left = ms; left > 0; left -= minute) {
        await backend.clock.sleep(Math.min(left, minute), leaving.signal)
        if (bookmarks) write(bookmark(info.type, backend.store.version))
      }
    } catch {
      return
    }
    response.end()
  }
}

// A version that is too old is no refusal but the watch's only event, as in the API server.
function startOrExpire(start: () => () => void, write: (line: WatchLine) => void): (() => void) | undefined {
  try {
    return start()
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 410) throw error
    write({ type: 'ERROR', object: error.toStatus() as unknown as KubeObject })
    return undefined
  }
}
