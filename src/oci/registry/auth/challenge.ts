/** How a registry wants clients to prove themselves. */
export type Challenge =
  | { readonly scheme: 'basic' }
  | {
      readonly scheme: 'bearer'
      readonly realm: string
      readonly service: string | undefined
      readonly scopes: readonly string[]
    }

/** Reads WWW-Authenticate (RFC 9110, section 11.6.1); bearer wins where a registry offers both. */
export function parseChallenge(headers: string | readonly string[] | undefined): Challenge | undefined {
  const text = (Array.isArray(headers) ? headers.join(', ') : String(headers ?? '')).slice(0, 16_384)
  const challenges = split(text)
  const bearer = challenges.find(({ scheme, fields }) => scheme === 'bearer' && fields.has('realm'))
  if (bearer !== undefined) {
    const scopes = (bearer.fields.get('scope') ?? '').split(' ').filter((scope) => scope !== '')
    const realm = bearer.fields.get('realm') ?? ''
    return { scheme: 'bearer', realm, service: bearer.fields.get('service'), scopes }
  }
  return challenges.some(({ scheme }) => scheme === 'basic') ? { scheme: 'basic' } : undefined
}

interface Parsed {
  readonly scheme: string
  readonly fields: Map<string, string>
}

// A token, then either `=value` (a field of the challenge before) or a space (the scheme of a new one).
const part = /\s*,?\s*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/y

function split(text: string): Parsed[] {
  const found: Parsed[] = []
  part.lastIndex = 0
  for (let match = part.exec(text); match !== null && match[0] !== ''; match = part.exec(text)) {
    const [, name = '', quoted, plain] = match
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain
    if (value === undefined) found.push({ scheme: name.toLowerCase(), fields: new Map() })
    else found.at(-1)?.fields.set(name.toLowerCase(), value)
  }
  return found
}
