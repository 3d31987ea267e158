import { type Context, isRecord, LadingError, monotonicNow, parseJson } from '../../core/index.ts'
import { decodeLines } from '../transport/decode-lines.ts'
import type { KubeStream } from '../transport/transport.ts'

/** One event as a watch sends it. */
export interface RawWatchEvent {
  readonly type: string
  readonly object: Record<string, unknown>
}

// An object is at most a few megabytes in etcd; anything past this is no event.
const maxEventBytes = 32 * 1024 * 1024

/** The events of a watch's stream; an event that was cut off by the end of the connection is not among them. */
export async function* decodeWatch(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<RawWatchEvent> {
  const lines = decodeLines(chunks, { maxBytes: maxEventBytes, tooLong: 'fail', unfinished: 'drop' })
  for await (const line of lines) {
    if (line !== '') yield parseEvent(line)
  }
}

/** Passes chunks on until none came for `limitMs`: then closes the stream and fails, as the connection may be dead. */
export async function* untilSilent(stream: KubeStream, limitMs: number, ctx: Context): AsyncGenerator<Uint8Array> {
  const { clock } = ctx
  const over = new AbortController()
  // Only waiting for the server counts, not the time a consumer takes to handle an event.
  let waitingSince: number | undefined = monotonicNow(clock)
  let silent = false
  const guard = async (): Promise<void> => {
    for (;;) {
      const left = (waitingSince ?? monotonicNow(clock)) + limitMs - monotonicNow(clock)
      if (left <= 0) break
      await clock.sleep(left, over.signal)
    }
    silent = true
    stream.close()
  }
  guard().catch(() => {
    // Woken only by the end of the stream.
  })
  try {
    for await (const chunk of stream) {
      waitingSince = undefined
      yield chunk
      waitingSince = monotonicNow(clock)
    }
  } finally {
    over.abort()
  }
  if (silent) throw new LadingError('kube.timeout', `the watch was silent for ${limitMs} ms`, { limitMs })
}

function parseEvent(line: string): RawWatchEvent {
  let event: unknown
  try {
    event = parseJson(line)
  } catch (cause) {
    throw new LadingError('kube.server-error', 'the API server sent a broken watch event', {}, { cause })
  }
  if (!isRecord(event) || typeof event['type'] !== 'string' || !isRecord(event['object'])) {
    throw new LadingError('kube.server-error', 'the API server sent something else than a watch event')
  }
  return { type: event['type'], object: event['object'] }
}
