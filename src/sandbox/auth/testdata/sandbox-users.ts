import { readFileSync } from 'node:fs'
import { afterAll, beforeAll } from 'vitest'
import { type Clock, defined } from '../../../core/index.ts'
import { type Sandbox, startSandbox } from '../../start.ts'

/** What the server said. */
export interface Answer {
  readonly code: number
  readonly body: Record<string, unknown>
}

/** Who asks, and what with. */
export interface Call {
  readonly token?: string
  readonly authorization?: string
  readonly headers?: Record<string, string>
  readonly body?: object
}

/** A sandbox that tests ask as different users. */
export interface SandboxUsers {
  /** The token of a user without rights. */
  readonly nobody: () => string
  /** The token of the user with every right. */
  readonly adminToken: () => string
  readonly call: (method: string, path: string, call?: Call) => Promise<Answer>
  /** Asks with every right. */
  readonly admin: (method: string, path: string, body?: object) => Promise<Answer>
  /** Who the server takes somebody for. */
  readonly whoami: (as: Call) => Promise<unknown>
}

interface Kubeconfig {
  users: { name: string; user: { token: string } }[]
}

/** Starts a sandbox before the tests of a file: over plain HTTP, so that fetch needs no certificate. */
export function sandboxUsers(clock: Clock): SandboxUsers {
  let sandbox: Sandbox
  let nobody = ''
  beforeAll(async () => {
    sandbox = await startSandbox({ tls: false, clock })
    const { users } = JSON.parse(readFileSync(sandbox.kubeconfig, 'utf8')) as Kubeconfig
    nobody = users.find(({ name }) => name === 'nobody')?.user.token ?? ''
  })
  afterAll(() => sandbox.stop())

  const call: SandboxUsers['call'] = async (method, path, { token, authorization, headers, body } = {}) => {
    const credentials = authorization ?? (token === undefined ? undefined : `Bearer ${token}`)
    const type = body === undefined ? undefined : 'application/json'
    const response = await fetch(`${sandbox.url}${path}`, {
      method,
      headers: { ...defined({ 'content-type': type }), ...headers, ...defined({ authorization: credentials }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { code: response.status, body: (text.startsWith('{') ? JSON.parse(text) : { text }) as Answer['body'] }
  }
  return {
    nobody: () => nobody,
    adminToken: () => sandbox.token,
    call,
    admin: (method, path, body) => call(method, path, { token: sandbox.token, ...defined({ body }) }),
    whoami: async (as) => {
      const { body } = await call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { ...as, body: {} })
      return (body['status'] as { userInfo: unknown }).userInfo
    },
  }
}
