import { Agent, request } from 'node:https'
import { load } from 'js-yaml'
import { readFile } from 'node:fs/promises'
import type { KubeObject } from '../src/core/index.ts'
import { TestbedError } from './testbed-error.ts'

/** Just enough of a client to prepare a cluster: the testbed must not depend on what is tested with it. */
export interface ApiClient {
  request(method: string, path: string, body?: unknown, contentType?: string): Promise<ApiAnswer>
  /** Server-side apply of an object whose REST path is known. */
  apply(path: string, object: KubeObject): Promise<void>
  close(): void
}

/** An answer of the API server. */
export interface ApiAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly json: unknown
}

/** A client from address, certificate authority (PEM) and bearer token. */
export function apiClient(server: string, ca: string, token: string): ApiClient {
  const agent = new Agent({ keepAlive: true, ca })
  const send: ApiClient['request'] = (method, path, body, contentType = 'application/json') =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': contentType }
      const sent = request(new URL(path, server), { method, agent, headers, timeout: 30_000 }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', reject)
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            get json(): unknown {
              return JSON.parse(text)
            },
          })
        })
      })
      sent.once('error', reject)
      sent.once('timeout', () => sent.destroy(new TestbedError(`no answer to ${method} ${path} within 30 s`)))
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  return {
    request: send,
    apply: async (path, object) => {
      const answer = await send(
        'PATCH',
        `${path}?fieldManager=testbed&force=true`,
        object,
        'application/apply-patch+yaml',
      )
      if (answer.status >= 300) throw new TestbedError(`cannot apply ${path}: ${answer.status} ${answer.text}`)
    },
    close: () => agent.destroy(),
  }
}

/** A client for one context of a kubeconfig that the testbed wrote. */
export async function apiClientOf(kubeconfig: string, context = 'admin'): Promise<ApiClient> {
  const config = load(await readFile(kubeconfig, 'utf8')) as {
    clusters: { cluster: { server: string; 'certificate-authority-data': string } }[]
    users: { name: string; user: { token?: string } }[]
  }
  const cluster = config.clusters[0]?.cluster
  const token = config.users.find((user) => user.name === context)?.user.token
  if (cluster === undefined || token === undefined) {
    throw new TestbedError(`${kubeconfig} has no user ${context} with a token: is it a testbed's kubeconfig?`)
  }
  return apiClient(cluster.server, Buffer.from(cluster['certificate-authority-data'], 'base64').toString('utf8'), token)
}
