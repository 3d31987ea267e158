import { Pool } from 'undici'

/** Where bare requests go; plain data, so that it can be handed to another process. */
export interface BareTarget {
  readonly server: string
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly tls: {
    readonly ca?: string | undefined
    readonly cert?: string | undefined
    readonly key?: string | undefined
    readonly servername?: string | undefined
    readonly rejectUnauthorized: boolean
  }
}

/** A connection pool of undici with nothing around it: what requests cost at least. */
export interface BarePool {
  request(method: string, path: string, body?: unknown): Promise<BareAnswer>
  /** Opens a watch and gives its bytes. */
  stream(path: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  close(): Promise<void>
}

/** An answer, its body parsed. */
export interface BareAnswer {
  readonly status: number
  readonly body: { readonly metadata?: { readonly resourceVersion?: string }; readonly message?: string }
}

/** How many requests are in flight, and so how many connections there are: as many as the engine's. */
export const inFlight = 32

/** Opens a pool. */
export function openBarePool(target: BareTarget, connections = inFlight): BarePool {
  const connect = { ...target.tls }
  const pool = new Pool(target.server, { connections, pipelining: 1, allowH2: false, connect })
  const headers = { ...target.headers, accept: 'application/json' }
  const patchHeaders = { ...headers, 'content-type': 'application/apply-patch+yaml' }
  const otherHeaders = { ...headers, 'content-type': 'application/json' }
  return {
    async request(method, path, body) {
      const response = await pool.request({
        method,
        path,
        headers: method === 'PATCH' ? patchHeaders : otherHeaders,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const answer = JSON.parse(await response.body.text()) as BareAnswer['body']
      if (response.statusCode >= 300)
        throw new Error(`${method} ${path}: ${response.statusCode} ${answer.message ?? ''}`)
      return { status: response.statusCode, body: answer }
    },
    async stream(path, signal) {
      const response = await pool.request({ method: 'GET', path, headers, signal, bodyTimeout: 0 })
      if (response.statusCode !== 200) throw new Error(`GET ${path}: ${response.statusCode}`)
      return response.body
    },
    close: () => pool.destroy(),
  }
}

/** Does something for every item, some of them at a time. */
export async function eachInFlight<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < items.length) await work(items[next++] as T)
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
}
