import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Exchange } from './exchange.ts'
import { RegistryError } from './registry-error.ts'

/** A user and the password. */
export interface Credentials {
  readonly user: string
  readonly password: string
}

/** What a request wants to do: `repository:NAME:pull,push` in token servers' words. */
export interface Scope {
  readonly type: 'repository' | 'registry'
  readonly name: string
  readonly actions: readonly string[]
}

/** Decides who may; refuses with a challenge that tells clients how to prove themselves. */
export interface Access {
  check(exchange: Exchange, scopes: readonly Scope[]): void
  /** Answers requests for tokens; false where the path is not about them. */
  serve?(exchange: Exchange): Promise<boolean>
}

/** HTTP basic authentication for everything. */
export function basicAccess(credentials: Credentials): Access {
  return {
    check({ request }) {
      if (isUser(request, credentials)) return
      throw new RegistryError('UNAUTHORIZED', 'authentication required', {
        headers: { 'www-authenticate': 'Basic realm="lading"' },
      })
    },
  }
}

/** Whether a request carries the right name and password. */
export function isUser(request: IncomingMessage, credentials: Credentials): boolean {
  const [, encoded = ''] = /^Basic (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  return sameText(Buffer.from(encoded, 'base64').toString('utf8'), `${credentials.user}:${credentials.password}`)
}

/** Compares secrets without telling by the time how much of them is right. */
export function sameText(a: string, b: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}

/** The scopes that a request needs: that of its repository, and that of the one which it mounts from. */
export function scopesOf(method: string, name: string | undefined, from?: string): Scope[] {
  if (name === undefined) return [{ type: 'registry', name: 'catalog', actions: ['*'] }]
  const source: Scope[] = from === undefined ? [] : [{ type: 'repository', name: from, actions: ['pull'] }]
  return [{ type: 'repository', name, actions: actionsOf(method) }, ...source]
}

function actionsOf(method: string): string[] {
  if (method === 'GET' || method === 'HEAD') return ['pull']
  return method === 'DELETE' ? ['delete'] : ['pull', 'push']
}

/** A scope as challenges and requests for tokens write it. */
export function formatScope({ type, name, actions }: Scope): string {
  return `${type}:${name}:${actions.join(',')}`
}
