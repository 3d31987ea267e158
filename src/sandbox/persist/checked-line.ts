import { crc32 } from 'node:zlib'
import { parseJson, stringifyJson } from '../../core/index.ts'

/** A value as one line with its checksum in front, so that a line that was cut off is recognised. */
export function checkedLine(value: unknown): string {
  const text = stringifyJson(value)
  return `${checksum(text)} ${text}\n`
}

/** The values of the lines of a file, and where the first bad line begins; -1 when all are good. */
export function readCheckedLines(text: string): { values: unknown[]; badAt: number; goodAfterBad: boolean } {
  const values: unknown[] = []
  let badAt = -1
  let start = 0
  while (start < text.length) {
    const end = text.indexOf('\n', start)
    const line = text.slice(start, end < 0 ? text.length : end)
    const body = line.slice(9)
    const isGood = end >= 0 && line.slice(0, 8) === checksum(body)
    if (isGood && badAt >= 0) return { values, badAt, goodAfterBad: true }
    if (isGood) values.push(parseJson(body))
    else if (badAt < 0) badAt = start
    start = end < 0 ? text.length : end + 1
  }
  return { values, badAt, goodAfterBad: false }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}
