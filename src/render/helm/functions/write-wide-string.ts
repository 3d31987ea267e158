import { analyse } from '../../kustomize/write/analyse-scalar.ts'
import { writeKey } from '../../kustomize/write/write-scalar.ts'

/** Writes a string as go-yaml v3 does: as v2, but without folding. */
export function writeWideString(text: string, indent: string, isKey: boolean): string {
  return text.includes('\n') && !isKey && analyse(text).block ? writeLiteral(text, indent) : writeKey(text)
}

function writeLiteral(text: string, indent: string): string {
  const hint = /^[ \n]/.test(text) ? '2' : ''
  const chomping = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : ''
  const body = text.endsWith('\n') ? text.slice(0, -1) : text
  return `|${hint}${chomping}\n${body.replaceAll(/^(?=[^\n])/gm, indent)}`
}
