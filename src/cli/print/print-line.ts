import { paintedLine } from './colour.ts'
import type { OutputStream } from '../io.ts'

/**
 * Writes one message as one paragraph. Sentences of API servers, charts and webhooks may have several lines; those after the first stand
 * behind a bar, which no line of Lading's own begins with, so that nobody else's text looks like a message of Lading.
 */
export function printLine(stream: Pick<OutputStream, 'write'>, text: string): void {
  stream.write(`${paragraph(text).join('\n')}\n`)
}

/** The lines of one message. */
export function paragraph(text: string): string[] {
  const [first = '', ...rest] = text.trimEnd().split(/\r?\n/)
  return [paintedLine(first), ...rest.map((line) => `${bar}${paintedLine(line)}`)]
}

const bar = '  | '
