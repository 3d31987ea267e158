import { staticConnection } from '../connect/connection.ts'
import type { TestServer } from '../connect/testdata/test-server.ts'
import type { KubeRequest, Transport } from '../transport/transport.ts'
import { createTransport, type TransportOptions } from '../transport/undici-transport.ts'

/** A read. */
export const get: KubeRequest = { method: 'GET', path: '/api/v1/pods' }
/** A write that is not safe to repeat. */
export const create: KubeRequest = { method: 'POST', path: '/api/v1/pods', body: { kind: 'Pod' } }

/** A transport to a server, closed at the end of its scope; its pauses have no jitter. */
export function transportTo(server: TestServer, options: TransportOptions = {}): Transport & AsyncDisposable {
  const retry = { random: () => 0, ...options.retry }
  const credentials = { headers: { authorization: 'Bearer hush' } }
  return closing(createTransport(staticConnection(server.url, credentials), { ...options, retry }))
}

/** A transport that is closed at the end of its scope. */
export function closing(transport: Transport): Transport & AsyncDisposable {
  return Object.assign(transport, { [Symbol.asyncDispose]: () => transport.close() })
}

/** What work failed with; undefined when it did not. */
export async function failure(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  return undefined
}
