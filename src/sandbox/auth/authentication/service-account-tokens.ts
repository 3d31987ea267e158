import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject, sign, verify } from 'node:crypto'
import { type Clock, isRecord, parseJson, stringifyJson } from '../../../core/index.ts'
import type { Store } from '../../store.ts'
import { serviceAccountGroups, serviceAccountName, type User } from './user.ts'

/** What a token is asked for. */
export interface TokenOrder {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly audiences: readonly string[]
  readonly expirationSeconds: number
}

/** Who issues the tokens, as they say themselves; also the audience when none is asked for. */
export const issuer = 'https://kubernetes.default.svc'

/** Issues and checks the tokens of service accounts: JSON Web Tokens, good until they expire or the account goes. */
export class ServiceAccountTokens {
  readonly #key: KeyObject
  readonly #publicKey: KeyObject
  readonly #store: Store
  readonly #clock: Clock
  /** Checking a signature costs a hundred times more than remembering that it was good. */
  readonly #checked = new Map<string, Claims>()

  constructor(store: Store, clock: Clock, keyPem = newSigningKey()) {
    this.#store = store
    this.#clock = clock
    this.#key = createPrivateKey(keyPem)
    this.#publicKey = createPublicKey(this.#key)
  }

  /** A new token with the time at which it expires. */
  issue(order: TokenOrder): { token: string; expires: number } {
    const now = Math.floor(this.#clock.now() / 1000)
    const expires = now + order.expirationSeconds
    const { namespace, name, uid } = order
    const head = encode({ alg: 'ES256', typ: 'JWT' })
    const body = encode({
      aud: order.audiences,
      exp: expires,
      iat: now,
      iss: issuer,
      'kubernetes.io': { namespace, serviceaccount: { name, uid } },
      nbf: now,
      sub: serviceAccountName(namespace, name),
    })
    const text = `${head}.${body}`
    const signature = sign('sha256', Buffer.from(text), { key: this.#key, dsaEncoding: 'ieee-p1363' })
    return { token: `${text}.${signature.toString('base64url')}`, expires: expires * 1000 }
  }

  /** The user of a token; undefined when it is not one of ours, is over, or its account is not there any more. */
  verify(token: string): User | undefined {
    const claims = this.#claims(token)
    if (claims === undefined || claims.expires * 1000 <= this.#clock.now()) return undefined
    const { namespace, name, uid } = claims
    const account = this.#store.get('/serviceaccounts', namespace, name)
    if (account?.metadata.uid !== uid) return undefined
    const groups = [...serviceAccountGroups(namespace), 'system:authenticated']
    return { name: serviceAccountName(namespace, name), uid, groups }
  }

  #claims(token: string): Claims | undefined {
    const id = hash('sha256', token)
    const known = this.#checked.get(id)
    if (known !== undefined) return known
    const [head = '', body = '', signature = ''] = token.split('.')
    if (signature === '') return undefined
    const key = { key: this.#publicKey, dsaEncoding: 'ieee-p1363' } as const
    const good = verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))
    const claims = good ? readClaims(body) : undefined
    if (claims === undefined) return undefined
    if (this.#checked.size >= 1000) this.#checked.clear()
    this.#checked.set(id, claims)
    return claims
  }
}

/** A key to sign tokens with, as PEM. */
export function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

interface Claims {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly expires: number
}

function readClaims(body: string): Claims | undefined {
  const claims: unknown = parseJson(Buffer.from(body, 'base64url').toString())
  if (!isRecord(claims) || !isRecord(claims['kubernetes.io'])) return undefined
  const { namespace, serviceaccount } = claims['kubernetes.io']
  if (!isRecord(serviceaccount)) return undefined
  return {
    namespace: String(namespace),
    name: String(serviceaccount['name']),
    uid: String(serviceaccount['uid']),
    expires: Number(claims['exp']),
  }
}

function encode(value: unknown): string {
  return Buffer.from(stringifyJson(value)).toString('base64url')
}
