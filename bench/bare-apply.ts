import { Pool } from 'undici'
import { type Context, isRecord } from '../src/core/index.ts'
import type { Connection } from '../src/kube/index.ts'

/** What applying N small objects costs at least: bare requests of a bare connection pool, answers parsed and counted. */
export interface BareLimit {
  /** Server-side applies ConfigMaps, `inFlight` at a time, and gives how many were created. */
  apply(namespace: string, names: readonly string[], data: Record<string, string>): Promise<number>
  close(): Promise<void>
}

const inFlight = 32

/** Opens the pool; the same number of connections and the same requests as the engine sends, with nothing around them. */
export async function openBareLimit(connection: Connection, ctx: Context): Promise<BareLimit> {
  const { headers, cert, key } = await connection.credentials(ctx)
  const connect = { ca: connection.tls.ca, cert, key }
  const pool = new Pool(connection.server, { connections: inFlight, pipelining: 1, allowH2: false, connect })
  const sent = { ...headers, 'content-type': 'application/apply-patch+yaml', accept: 'application/json' }
  const query = 'fieldManager=lading&fieldValidation=Strict'

  const applyOne = async (namespace: string, name: string, data: Record<string, string>): Promise<boolean> => {
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data })
    const path = `/api/v1/namespaces/${namespace}/configmaps/${name}?${query}`
    const response = await pool.request({ method: 'PATCH', path, headers: sent, body })
    const answer: unknown = JSON.parse(await response.body.text())
    if (!isRecord(answer) || answer['kind'] !== 'ConfigMap') throw new Error(`refused: ${JSON.stringify(answer)}`)
    return response.statusCode === 201
  }
  return {
    async apply(namespace, names, data) {
      let next = 0
      let created = 0
      const worker = async (): Promise<void> => {
        while (next < names.length) {
          const isNew = await applyOne(namespace, names[next++] as string, data)
          if (isNew) created++
        }
      }
      await Promise.all(Array.from({ length: inFlight }, worker))
      return created
    },
    close: () => pool.close(),
  }
}
