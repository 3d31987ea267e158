import { stripVTControlCharacters, styleText } from 'node:util'
import type { Io, OutputStream } from './io.ts'

/** The few colours that the printers use. */
export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold'

/** A painter for one stream: colours on a terminal only, and not where NO_COLOR is set (no-color.org). */
export function paint(stream: OutputStream, env: Io['env']): (text: string, colour: Colour) => string {
  const on = stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
  return on ? (text, colour) => styleText(colour, text, { validateStream: false }) : (text) => text
}

/** A text from a cluster, a log for example, without its colours and what else is for a terminal. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return stripVTControlCharacters(text).replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, '')
}
