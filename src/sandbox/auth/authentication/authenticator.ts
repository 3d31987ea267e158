import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { StatusError } from '../../status-error.ts'
import type { ServiceAccountTokens } from './service-account-tokens.ts'
import { anonymous, type User } from './user.ts'

/** Knows who a token belongs to. */
export class Authenticator {
  readonly #known: { readonly digest: Buffer; readonly user: User }[] = []
  readonly #accounts: ServiceAccountTokens

  constructor(accounts: ServiceAccountTokens) {
    this.#accounts = accounts
  }

  /** Lets a token authenticate as a user. */
  add(token: string, user: User): void {
    this.#known.push({ digest: digestOf(token), user })
  }

  /** The user of a token; undefined when nobody has it. */
  userOf(token: string): User | undefined {
    const digest = digestOf(token)
    let found: User | undefined
    // Every one is looked at, so that time tells nothing.
    for (const known of this.#known) if (timingSafeEqual(known.digest, digest)) found = known.user
    return found ?? this.#accounts.verify(token)
  }

  /** The user of a request; without credentials everybody is anonymous, with wrong ones nobody. */
  authenticate(request: IncomingMessage): User {
    const header = request.headers.authorization
    if (header === undefined || header === '') return anonymous
    const [, token] = /^Bearer\s+(\S+)\s*$/i.exec(header) ?? []
    const user = token === undefined ? undefined : this.userOf(token)
    if (user === undefined) throw new StatusError(401, 'Unauthorized', 'Unauthorized')
    return user
  }
}

function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
