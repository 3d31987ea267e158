import type { IncomingHttpHeaders } from 'node:http'
import { LadingError } from '../../core/index.ts'
import type { RouteAccess } from '../http/route.ts'
import type { Authenticator, Principal } from './principal.ts'

/** The principal of routes that anybody may call; the cluster grants it nothing. */
const anonymous: Principal = {
  name: 'system:anonymous',
  groups: ['system:unauthenticated'],
  by: 'static-token',
  key: 'anonymous',
}

/** Who sent a request. Only the bearer token counts. Throws `request.unauthorized` without a valid one. */
export async function authenticateRequest(
  access: RouteAccess,
  authenticators: readonly Authenticator[],
  headers: IncomingHttpHeaders,
  signal: AbortSignal,
): Promise<Principal> {
  if (access === 'public') return anonymous
  const token = bearerToken(headers.authorization)
  for (const authenticator of authenticators) {
    const principal = await authenticator.authenticate(token, signal)
    if (principal !== undefined) return principal
  }
  throw new LadingError('request.unauthorized', 'the bearer token is not one that this gateway accepts')
}

function bearerToken(header: string | undefined): string {
  if (header === undefined) throw new LadingError('request.unauthorized', 'the request has no Authorization header')
  const token = /^bearer +(\S+)$/i.exec(header)?.[1]
  if (token !== undefined) return token
  throw new LadingError('request.unauthorized', 'the Authorization header must be: Bearer TOKEN')
}
