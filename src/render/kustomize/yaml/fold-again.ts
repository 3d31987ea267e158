import { EVENT_ID, getScalarValue, parseEvents } from 'js-yaml'
import { analyse } from '../write/analyse-scalar.ts'

/**
 * What is left of a folded text (`>`) once kustomize has written it in that style and read it back, which it does at the end of
 * a build. go-yaml's writer puts a blank line behind a line that a more indented one follows, and at the end of a text that
 * keeps its line breaks, so that the text grows.
 */
export function foldAgain(text: string): string {
  if (!text.includes('\n') || !analyse(text).block) return text
  const hint = /^[ \n]/.test(text) ? '2' : ''
  const chomping = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : ''
  const written = `>${hint}${chomping}\n${writeFolded(text)}${text.endsWith('\n') ? '' : '\n'}`
  const scalar = parseEvents(written, {}).find((event) => event.type === EVENT_ID.SCALAR)
  return scalar === undefined ? text : getScalarValue(written, scalar)
}

function writeFolded(text: string): string {
  let written = ''
  let isLineStart = true
  let isIndented = true
  // The writer looks at the beginning of the text where it means what follows the break.
  const doubles = !/^[ \t]|^$/.test(text.replace(/^\n+/, ''))
  for (const character of text) {
    if (character === '\n') {
      if (!isLineStart && !isIndented && doubles) written += '\n'
      written += '\n'
      isLineStart = true
      continue
    }
    if (isLineStart) {
      isIndented = character === ' ' || character === '\t'
      written += '  '
    }
    written += character
    isLineStart = false
  }
  return written
}
