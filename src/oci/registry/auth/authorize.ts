import { type Context, isLadingError, LadingError, monotonicNow } from '../../../core/index.ts'
import type { Credential } from '../../credentials/credential.ts'
import { type Challenge, parseChallenge } from './challenge.ts'
import { basic, fetchToken, type TokenServer } from './fetch-token.ts'

/** What the authorization of one client needs. */
export interface AuthorizerOptions extends Omit<TokenServer, 'realm' | 'service'> {
  /** The registry as messages name it. */
  readonly registry: string
  /** Asked at most once, when the registry first wants a credential. */
  readonly credential: (ctx: Context) => Promise<Credential | undefined>
}

/** Answers a registry's challenges, and remembers how, so that later requests carry what is wanted from the start. */
export class Authorizer {
  readonly #options: AuthorizerOptions
  readonly #tokens = new Map<string, Granted>()
  readonly #asked = new Map<string, Promise<Granted>>()
  readonly #secrets = new Set<string>()
  #challenge: Challenge | undefined
  #credential: Credential | undefined | null = null

  constructor(options: AuthorizerOptions) {
    this.#options = options
  }

  /** The Authorization header for a request; undefined while the registry has not asked for any. */
  async header(scopes: readonly string[], ctx: Context): Promise<string | undefined> {
    const challenge = this.#challenge
    if (challenge === undefined) return undefined
    const credential = await this.#credentialOnce(ctx)
    if (credential?.accessToken !== undefined) return `Bearer ${credential.accessToken}`
    if (challenge.scheme === 'bearer') return `Bearer ${(await this.#token(challenge, scopes, ctx)).token}`
    if (credential?.username === undefined || credential.password === undefined) throw this.#loginWanted()
    return basic(credential.username, credential.password)
  }

  /** What to answer a 401 with; undefined where nothing better is known than what was sent. */
  async renew(
    challenged: string | string[] | undefined,
    scopes: readonly string[],
    sent: string | undefined,
    ctx: Context,
  ): Promise<string | undefined> {
    const challenge = parseChallenge(challenged)
    if (challenge === undefined) return undefined
    this.#challenge = challenge
    for (const [key, { token }] of this.#tokens) if (sent === `Bearer ${token}`) this.#tokens.delete(key)
    const wanted = challenge.scheme === 'bearer' ? union([...scopes, ...challenge.scopes]) : scopes
    const header = await this.header(wanted, ctx)
    return header === sent ? undefined : header
  }

  /** Takes what proves an identity out of a text, for example out of a registry's own words. */
  redact(text: string): string {
    return [...this.#secrets].reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
  }

  async #token(challenge: Challenge & { scheme: 'bearer' }, scopes: readonly string[], ctx: Context): Promise<Granted> {
    const now = monotonicNow(ctx.clock)
    for (const [key, { expires }] of this.#tokens) if (expires <= now) this.#tokens.delete(key)
    const covering = this.#tokens.values().find((granted) => scopes.every((scope) => covers(granted.scopes, scope)))
    if (covering !== undefined) return covering
    const key = scopes.toSorted().join(' ')
    const pending = this.#asked.get(key)
    if (pending !== undefined) {
      try {
        return await pending
      } catch (error) {
        // Whoever asked first has left; that is no reason for the others to.
        if (!isLadingError(error, 'cancelled', 'timeout') || ctx.signal.aborted) throw error
      }
    }
    const asking = this.#ask(challenge, scopes, ctx).finally(() => this.#asked.delete(key))
    this.#asked.set(key, asking)
    const granted = await asking
    this.#tokens.set(key, granted)
    return granted
  }

  async #ask(challenge: Challenge & { scheme: 'bearer' }, scopes: readonly string[], ctx: Context): Promise<Granted> {
    const credential = await this.#credentialOnce(ctx)
    const server: TokenServer = { ...this.#options, realm: challenge.realm, service: challenge.service }
    const { token, lifetimeMs } = await fetchToken(server, scopes, credential, ctx)
    this.#secrets.add(token)
    // A token is not used in its last moments: it would expire on its way.
    return { token, scopes, expires: monotonicNow(ctx.clock) + lifetimeMs - Math.min(10_000, lifetimeMs / 10) }
  }

  async #credentialOnce(ctx: Context): Promise<Credential | undefined> {
    if (this.#credential === null) {
      const found = await this.#options.credential(ctx)
      for (const key of ['password', 'refreshToken', 'accessToken'] as const) {
        const secret = found?.[key]
        if (secret !== undefined && secret !== '') this.#secrets.add(secret)
      }
      this.#credential = found
    }
    return this.#credential
  }

  #loginWanted(): LadingError {
    const { registry } = this.#options
    return new LadingError('oci.unauthorized', `${registry} wants a user and a password, and none are known`, {
      registry,
    })
  }
}

interface Granted {
  readonly token: string
  readonly scopes: readonly string[]
  readonly expires: number
}

function covers(granted: readonly string[], wanted: string): boolean {
  if (granted.includes(wanted)) return true
  const cut = wanted.lastIndexOf(':')
  const name = wanted.slice(0, cut + 1)
  const actions = wanted.slice(cut + 1).split(',')
  return granted.some((one) => {
    if (!one.startsWith(name)) return false
    const has = one.slice(cut + 1).split(',')
    return actions.every((action) => has.includes(action))
  })
}

/** One scope for each name, with all the actions that are wanted of it. */
function union(scopes: readonly string[]): string[] {
  const byName = new Map<string, Set<string>>()
  for (const scope of scopes) {
    const cut = scope.lastIndexOf(':')
    const actions = byName.get(scope.slice(0, cut)) ?? new Set()
    for (const action of scope.slice(cut + 1).split(',')) actions.add(action)
    byName.set(scope.slice(0, cut), actions)
  }
  return [...byName].map(([name, actions]) => `${name}:${[...actions].join(',')}`)
}
