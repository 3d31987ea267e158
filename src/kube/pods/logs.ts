import type { Context, ObjectRef } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { decodeLines } from '../transport/decode-lines.ts'
import { objectPath, resolveResource } from '../discovery/paths.ts'

/** Which part of a log to read. */
export interface LogOptions {
  /** Needed when the pod has more than one. */
  readonly container?: string
  /** Only the last lines. */
  readonly tailLines?: number
  /** Of the container's run before the last restart. */
  readonly previous?: boolean
  /** Goes on with new lines until the container ends or the signal aborts. */
  readonly follow?: boolean
  readonly sinceSeconds?: number
  /** Most bytes that the server sends; a megabyte unless following. */
  readonly limitBytes?: number
}

const maxLineBytes = 256 * 1024

/** Reads the log of a pod, line by line; a line longer than 256 KiB comes in pieces. */
export async function* readLog(
  cluster: Cluster,
  ref: Pick<ObjectRef, 'namespace' | 'name'>,
  options: LogOptions,
  ctx: Context,
): AsyncGenerator<string> {
  const pod = { ...ref, group: '', version: 'v1', kind: 'Pod' }
  const resource = await resolveResource(cluster, pod, ctx)
  const limitBytes = options.limitBytes ?? (options.follow === true ? undefined : 1024 * 1024)
  const stream = await cluster.transport.stream(
    {
      method: 'GET',
      path: objectPath(resource, pod, 'log'),
      query: { ...options, limitBytes },
      // Logs are text, a refusal is a Status; kube-apiserver refuses `text/plain` alone.
      accept: '*/*',
    },
    ctx,
  )
  try {
    yield* decodeLines(stream, { maxBytes: maxLineBytes, tooLong: 'split', unfinished: 'yield' })
  } finally {
    stream.close()
  }
}
