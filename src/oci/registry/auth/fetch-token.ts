import { type Context, isRecord, LadingError } from '../../../core/index.ts'
import { dump, type Network, type WireAnswer, type WireRequest } from '../../../net/index.ts'
import type { Credential } from '../../credentials/credential.ts'
import { answerError } from '../answer-error.ts'
import { readAnswer } from '../network/read-body.ts'
import { mayHaveCredentials } from './token-hosts.ts'

/** Where tokens come from. */
export interface TokenServer {
  /** What the registry's challenge names. */
  readonly realm: string
  readonly service: string | undefined
  /** The registry that names it. */
  readonly origin: URL
  readonly userAgent: string
  readonly network: Network
  /** Further hosts that the credentials of the registry may go to, each as HOST or HOST:PORT. */
  readonly tokenHosts?: readonly string[]
}

/** A token and how long it is good for. */
export interface Token {
  readonly token: string
  readonly lifetimeMs: number
}

const maxTokenBytes = 256 * 1024

/** Gets a token for scopes: by OAuth 2's form with a refresh token, otherwise by GET as Docker does. */
export async function fetchToken(
  server: TokenServer,
  scopes: readonly string[],
  credential: Credential | undefined,
  ctx: Context,
): Promise<Token> {
  const realm = checkRealm(server)
  if (isKnown(credential) && !mayHaveCredentials(realm, server.origin, server.tokenHosts))
    throw strangeHost(realm, server)
  const guarded = realm.host !== server.origin.host && !(await server.network.isPrivate(server.origin.hostname))
  const send = (request: WireRequest): Promise<WireAnswer> =>
    server.network.send(request, guarded ? 'public' : 'any', ctx.signal)
  let answer: WireAnswer
  if (credential?.refreshToken !== undefined) {
    const grant = { grant_type: 'refresh_token', refresh_token: credential.refreshToken }
    answer = await send(form(server, realm, scopes, grant))
  } else {
    answer = await send(query(server, realm, scopes, credential))
    const { username, password } = credential ?? {}
    // Token servers that speak OAuth 2 only do not know the GET.
    if ((answer.status === 404 || answer.status === 405) && username !== undefined && password !== undefined) {
      await dump(answer)
      answer = await send(form(server, realm, scopes, { grant_type: 'password', username, password }))
    }
  }
  return readToken(answer, server.origin.host, ctx)
}

function isKnown(credential: Credential | undefined): boolean {
  return credential?.refreshToken !== undefined || credential?.password !== undefined
}

function strangeHost(realm: URL, { origin }: TokenServer): LadingError {
  const problem = `${origin.host} wants its credentials sent to ${realm.host}, which is another domain: allow it with --allow-token-host ${realm.host} if that is its token server`
  return new LadingError('oci.unsafe', problem, { registry: origin.host, host: realm.host })
}

/** Credentials go there: it must be a plain URL, encrypted where the registry is. */
function checkRealm({ realm, origin }: TokenServer): URL {
  const url = URL.parse(realm)
  const unsafe = (what: string): LadingError =>
    new LadingError('oci.unsafe', `the token server that ${origin.host} names ${what}`, { registry: origin.host })
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw unsafe('is no http(s) URL')
  if (url.username !== '' || url.password !== '') throw unsafe('has a user in its URL')
  if (url.protocol === 'http:' && origin.protocol === 'https:') throw unsafe('is not encrypted, the registry is')
  return url
}

/** https://distribution.github.io/distribution/spec/auth/token/ */
function query(
  server: TokenServer,
  realm: URL,
  scopes: readonly string[],
  credential: Credential | undefined,
): WireRequest {
  const url = new URL(realm)
  if (server.service !== undefined) url.searchParams.set('service', server.service)
  for (const scope of scopes) url.searchParams.append('scope', scope)
  const { username, password } = credential ?? {}
  const known = username !== undefined && password !== undefined
  const headers = { 'user-agent': server.userAgent, ...(known && { authorization: basic(username, password) }) }
  return { method: 'GET', url, headers }
}

/** https://distribution.github.io/distribution/spec/auth/oauth/ */
function form(server: TokenServer, url: URL, scopes: readonly string[], grant: Record<string, string>): WireRequest {
  const fields = new URLSearchParams({ ...grant, client_id: 'lading' })
  if (server.service !== undefined) fields.set('service', server.service)
  if (scopes.length > 0) fields.set('scope', scopes.join(' '))
  const headers = { 'user-agent': server.userAgent, 'content-type': 'application/x-www-form-urlencoded' }
  return { method: 'POST', url, headers, body: Buffer.from(fields.toString()) }
}

/** HTTP basic authentication (RFC 7617). */
export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

async function readToken(answer: WireAnswer, registry: string, ctx: Context): Promise<Token> {
  const what = `the token server of ${registry}`
  if (answer.status !== 200) {
    // What token servers say is not shown: they may repeat what they were sent.
    const error = await answerError(answer, what, () => '')
    if (error.retryable) throw error
    const message = `${registry} refuses the login: its token server answered ${answer.status}`
    throw new LadingError('oci.unauthorized', message, { registry, status: answer.status })
  }
  const body = await readAnswer(answer, maxTokenBytes, `the answer of ${what}`, ctx)
  const value = parse(body)
  const token = value?.['token'] ?? value?.['access_token']
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    throw new LadingError('oci.unauthorized', `${what} gave no token`, { registry })
  }
  const seconds = value?.['expires_in']
  // Sixty seconds is the specification's default, and the least that servers may grant.
  return { token, lifetimeMs: (typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, 86_400) : 60) * 1000 }
}

function parse(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
