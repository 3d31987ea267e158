import { createHash, timingSafeEqual } from 'node:crypto'
import { LadingError } from '../../core/index.ts'
import type { Authenticator, Principal } from './principal.ts'

/** A token for development and whom it stands for. */
export interface StaticToken {
  readonly token: string
  readonly name: string
  readonly groups: readonly string[]
  readonly namespaces?: readonly string[]
}

/** The shortest token that is accepted. */
const shortestToken = 16

/** Authenticates by fixed tokens; for development, on the loopback interface only. */
export function staticTokens(tokens: readonly StaticToken[]): Authenticator {
  const known = tokens.map(({ token, name, groups, namespaces }) => {
    if (token.length < shortestToken) {
      throw new LadingError('config.invalid', `the token of ${name} is shorter than ${shortestToken} characters`)
    }
    const key = `static-token:${name}`
    const principal: Principal = { name, groups, namespaces, by: 'static-token', key }
    return { hash: hashOf(token), principal }
  })
  return {
    name: 'static-token',
    async authenticate(token) {
      const hash = hashOf(token)
      let found: Principal | undefined
      // Every token is compared, so that the time says nothing.
      for (const one of known) if (timingSafeEqual(one.hash, hash)) found = one.principal
      return found
    },
  }
}

/** Reads a token file: a line each, `TOKEN NAME [GROUP,GROUP…]`; `#` starts a comment. */
export function parseTokenFile(text: string, file: string): StaticToken[] {
  const tokens: StaticToken[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const content = line.replace(/#.*$/, '').trim()
    if (content === '') continue
    const [token = '', name, groups = '', ...rest] = content.split(/\s+/)
    if (name === undefined || rest.length > 0) {
      const message = `${file}:${index + 1}: write each line as TOKEN NAME [GROUP,GROUP]`
      throw new LadingError('config.invalid', message, { file })
    }
    tokens.push({ token, name, groups: groups.split(',').filter((group) => group !== '') })
  }
  if (tokens.length === 0) throw new LadingError('config.invalid', `${file} holds no token`, { file })
  return tokens
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
