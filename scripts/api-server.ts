import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { Agent, request } from 'undici'

/** What the generators need of a running API server: JSON in, JSON out, the status as data. */
export interface ApiServer {
  get(path: string, accept?: string): Promise<unknown>
  send(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>
  close(): Promise<void>
}

/** Opens the current context of a kubeconfig that holds a token and an inline certificate authority. */
export function openApiServer(kubeconfigPath: string): ApiServer {
  const { server, ca, token } = readKubeconfig(kubeconfigPath)
  const dispatcher = new Agent({ connect: { ca } })
  const call = async (method: string, path: string, accept: string, body?: unknown) => {
    const headers: Record<string, string> = { accept, authorization: `Bearer ${token}` }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const response = await request(server + path, {
      method,
      headers,
      dispatcher,
      body: body === undefined ? null : JSON.stringify(body),
    })
    return { status: response.statusCode, body: await response.body.json() }
  }
  return {
    async get(path, accept = 'application/json') {
      const response = await call('GET', path, accept)
      if (response.status !== 200) throw new Error(`GET ${path} answered ${response.status}`)
      return response.body
    },
    send: (method, path, body) => call(method, path, 'application/json', body),
    close: () => dispatcher.close(),
  }
}

interface Kubeconfig {
  'current-context': string
  contexts: { name: string; context: { cluster: string; user: string } }[]
  clusters: { name: string; cluster: { server: string; 'certificate-authority-data': string } }[]
  users: { name: string; user: { token: string } }[]
}

function readKubeconfig(path: string): { server: string; ca: string; token: string } {
  const config = load(readFileSync(path, 'utf8')) as Kubeconfig
  const context = config.contexts.find((entry) => entry.name === config['current-context'])?.context
  const cluster = config.clusters.find((entry) => entry.name === context?.cluster)?.cluster
  const user = config.users.find((entry) => entry.name === context?.user)?.user
  if (cluster === undefined || user === undefined) throw new Error(`${path} has no usable current context`)
  const ca = Buffer.from(cluster['certificate-authority-data'], 'base64').toString()
  return { server: cluster.server, ca, token: user.token }
}
