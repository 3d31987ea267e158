import type { LadingError } from '../../core/index.ts'

/** A text as header value: UTF-8 bytes, as Go sends them; line breaks and other control characters are refused. */
export function headerValue(text: string, invalid: (problem: string) => LadingError): string {
  // The message must not show the value: it may be a token.
  if (/\p{Cc}/u.test(text)) throw invalid('must not hold line breaks or other control characters')
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** The header of a bearer token. */
export function bearer(token: string, invalid: (problem: string) => LadingError): string {
  return `Bearer ${headerValue(token.trim(), invalid)}`
}
