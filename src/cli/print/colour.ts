import { inspect, stripVTControlCharacters } from 'node:util'
import { manyLines, newSeed, oneLine } from '../../core/index.ts'
import type { Io, OutputStream } from '../io.ts'

/** The few colours that the printers use. */
export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'magenta' | 'dim' | 'bold'

/**
 * A painter for one stream: colours on a terminal only, and not where NO_COLOR is set (no-color.org). It leaves marks that only this process
 * knows, which the guard of the stream turns into colours: a colour code in somebody else's text is no such mark.
 */
export function paint(stream: OutputStream, env: Io['env']): (text: string, colour: Colour) => string {
  const on = stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
  if (!on) return (text) => text
  return (text, colour) => {
    const [from, to] = inspect.colors[colour] ?? [0, 0]
    return `${mark}${from}m${text}${mark}${to}m`
  }
}

/** Turns the marks of the printers into colours, and spells all other control characters but line breaks and tabs. */
export function showPainted(text: string): string {
  return outsideMarks(text, manyLines).replaceAll(marks, '\u001B[$1m')
}

/** A painted text on one line. */
export function paintedLine(text: string): string {
  return outsideMarks(text, oneLine)
}

/** A text from a cluster, a log for example, without its colours and what else is for a terminal. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return stripVTControlCharacters(text).replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, '')
}

const word = newSeed()
const mark = `\u001B[${word}:`
const marks = new RegExp(`\u001B\\[${word}:(\\d+)m`, 'g')

function outsideMarks(text: string, change: (text: string) => string): string {
  // Every second piece is the number of a colour.
  return text
    .split(marks)
    .map((piece, index) => (index % 2 === 0 ? change(piece) : `${mark}${piece}m`))
    .join('')
}
