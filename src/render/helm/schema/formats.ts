import { isIP } from 'node:net'
import { fullFormats } from 'ajv-formats/dist/formats.js'

// Those that the validator of Helm asserts as well; it has no others.
const known = new Set(
  'date date-time time duration email hostname uri uri-reference iri iri-reference uri-template uuid json-pointer relative-json-pointer'.split(
    ' ',
  ),
)

/** Why a text is not of a format; undefined where it is, where it is no text, or where nobody knows the format. */
export function formatProblem(format: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  if (format === 'ipv4') return isIP(value) === 4 ? undefined : 'invalid address'
  if (format === 'ipv6') return isIP(value) === 6 && !value.includes('%') ? undefined : 'invalid address'
  if (!known.has(format)) return undefined
  const rule = fullFormats[(format === 'iri' ? 'uri' : format === 'iri-reference' ? 'uri-reference' : format) as 'uri']
  return passes(rule, value) ? undefined : 'it does not parse'
}

function passes(rule: unknown, value: string): boolean {
  if (rule instanceof RegExp) return rule.test(value)
  if (typeof rule === 'function') return (rule as (text: string) => boolean)(value)
  if (typeof rule === 'object' && rule !== null && 'validate' in rule) return passes(rule.validate, value)
  return true
}
