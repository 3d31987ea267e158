import { randomBytes } from 'node:crypto'
import type { Clock } from '../../core/index.ts'
import { type Access, type Credentials, formatScope, isUser, sameText, type Scope } from './access.ts'
import { answer, type Exchange, readBody } from './exchange.ts'
import { RegistryError } from './registry-error.ts'

/** Who gets tokens. */
export interface TokenOptions extends Credentials {
  /** Whether anybody gets tokens to pull. */
  readonly anonymousPull?: boolean
  /** How long a token is good for (default: five minutes). */
  readonly ttlSeconds?: number
}

const path = '/token'

/** Bearer tokens for scopes, from a token server that is part of the registry. */
export function tokenAccess(options: TokenOptions, clock: Clock): Access {
  const tokens = new Map<string, { granted: readonly Scope[]; expires: number }>()
  const ttl = options.ttlSeconds ?? 300

  function issue(asked: readonly Scope[], known: boolean): object {
    const now = clock.now()
    for (const [token, { expires }] of tokens) if (expires <= now) tokens.delete(token)
    const token = randomBytes(32).toString('base64url')
    const granted = known ? asked : asked.flatMap((scope) => pullOnly(scope, options.anonymousPull === true))
    tokens.set(token, { granted, expires: now + ttl * 1000 })
    return { token, access_token: token, expires_in: ttl, issued_at: new Date(now).toISOString() }
  }

  return {
    check(exchange, scopes) {
      const [, token] = /^Bearer (\S+)$/i.exec(exchange.request.headers.authorization ?? '') ?? []
      const found = token === undefined ? undefined : tokens.get(token)
      const problem = found === undefined || found.expires <= clock.now() ? 'invalid_token' : undefined
      const missing = scopes.some((scope) => !covers(found?.granted ?? [], scope)) ? 'insufficient_scope' : undefined
      if (problem !== undefined || missing !== undefined) {
        throw challenge(exchange, scopes, token === undefined ? undefined : (problem ?? missing))
      }
    },
    async serve(exchange) {
      if (exchange.url.pathname !== path) return false
      const { user, scopes } = await readTokenRequest(exchange)
      const known = isUser(exchange.request, options) || (user !== undefined && sameUser(user, options))
      const given = exchange.request.headers.authorization !== undefined || user !== undefined
      if (!known && (given || options.anonymousPull !== true)) {
        const headers = { 'www-authenticate': 'Basic realm="lading"' }
        throw new RegistryError('UNAUTHORIZED', 'authentication required', { headers })
      }
      answer(exchange, 200, { 'cache-control': 'no-store' }, issue(scopes, known))
      return true
    },
  }
}

/** GET with basic authentication as Docker does, or POST of a form as OAuth 2 does. */
async function readTokenRequest({ request, url }: Exchange): Promise<{ user?: Credentials; scopes: Scope[] }> {
  const form = request.method === 'POST' ? await readBody(request, 64 * 1024, 'a request for a token') : undefined
  const fields = form === undefined ? url.searchParams : new URLSearchParams(form.toString('utf8'))
  const scopes = fields
    .getAll('scope')
    .flatMap((text) => text.split(' '))
    .flatMap((text) => parseScope(text) ?? [])
  const [name, password] = [fields.get('username'), fields.get('password')]
  return form === undefined || name === null || password === null
    ? { scopes }
    : { user: { user: name, password }, scopes }
}

function parseScope(text: string): Scope | undefined {
  const [, type, name = '', actions = ''] = /^(repository|registry):(.+):([a-z*,]+)$/.exec(text) ?? []
  if (type !== 'repository' && type !== 'registry') return undefined
  return { type, name, actions: actions.split(',') }
}

function pullOnly(scope: Scope, allowed: boolean): Scope[] {
  return allowed && scope.type === 'repository' && scope.actions.includes('pull')
    ? [{ ...scope, actions: ['pull'] }]
    : []
}

function covers(granted: readonly Scope[], wanted: Scope): boolean {
  const matching = granted.filter(({ type, name }) => type === wanted.type && name === wanted.name)
  const actions = new Set(matching.flatMap((scope) => scope.actions))
  return actions.has('*') || wanted.actions.every((action) => actions.has(action))
}

function sameUser(a: Credentials, b: Credentials): boolean {
  return sameText(`${a.user}:${a.password}`, `${b.user}:${b.password}`)
}

function challenge({ request }: Exchange, scopes: readonly Scope[], error: string | undefined): RegistryError {
  const host = request.headers.host ?? ''
  const parts = [`realm="http://${host}${path}"`, `service="${host}"`]
  if (scopes.length > 0) parts.push(`scope="${scopes.map(formatScope).join(' ')}"`)
  if (error !== undefined) parts.push(`error="${error}"`)
  const headers = { 'www-authenticate': `Bearer ${parts.join(',')}` }
  return new RegistryError('UNAUTHORIZED', 'authentication required', { headers })
}
