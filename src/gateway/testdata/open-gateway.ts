import { context } from '../../core/index.ts'
import { type Connected, connectCallers } from '../../kube/index.ts'
import { createFluxAdapter } from '../../flux/index.ts'
import { openFlux } from '../../flux/testdata/open-flux.ts'
import { createGateway, type Gateway, type GatewayOptions } from '../http/create-gateway.ts'
import { staticTokens } from '../auth/static-tokens.ts'
import { gatewayRoutes } from '../gateway-routes.ts'

/** A token of each person that tests know. */
export const tokens = {
  admin: 'token-of-the-admin-0001',
  reader: 'token-of-the-reader-001',
  nobody: 'token-of-nobody-at-all1',
} as const

/** A gateway over a sandbox with simulated Flux, and what it listens on. */
export interface OpenGateway extends AsyncDisposable {
  readonly gateway: Gateway
  readonly url: string
  /** The cluster with all rights. */
  readonly cluster: Connected
  /** A request as one of the people; the body is sent as JSON. */
  send(method: string, path: string, options?: SendOptions): Promise<Answered>
}

/** How a request is sent. */
export interface SendOptions {
  readonly as?: keyof typeof tokens | 'unknown'
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What came back. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any
}

/** Starts everything on free ports. */
export async function openGateway(options: Partial<GatewayOptions> = {}): Promise<OpenGateway> {
  const ctx = context()
  const flux = await openFlux()
  const connections = await connectCallers({ kubeconfig: flux.kubeconfig }, ctx)
  const adapter = createFluxAdapter(connections.base, {}, ctx)
  const gateway = createGateway(
    {
      clusters: [{ name: 'main', connections, adapter }],
      authenticators: [
        staticTokens([
          { token: tokens.admin, name: 'admin', groups: ['system:masters'] },
          { token: tokens.reader, name: 'reader', groups: [] },
          { token: tokens.nobody, name: 'nobody', groups: [] },
        ]),
      ],
      routes: gatewayRoutes,
      ...options,
    },
    ctx,
  )
  const url = await gateway.listen({})
  return {
    gateway,
    url,
    cluster: flux.cluster,
    async send(method, path, { as = 'admin', body, headers = {} } = {}) {
      const token = as === 'unknown' ? 'not-a-token-of-anybody' : tokens[as]
      const response = await fetch(new URL(path, url), {
        method,
        redirect: 'manual',
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = (response.headers.get('content-type') ?? '').includes('json')
      return { status: response.status, headers: response.headers, text, body: isJson && text ? parsed(text) : text }
    },
    async [Symbol.asyncDispose]() {
      await gateway.close()
      await adapter.close()
      await connections.close()
      await flux.close()
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
