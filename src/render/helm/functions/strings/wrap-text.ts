import { fromBytes } from '../../../gotemplate/format/bytes.ts'
import { bytesOf } from '../encoding/go-bytes.ts'

const space = 0x20

/** Breaks a line at spaces so that no more than `width` bytes stand between breaks; words that are longer only where told. */
export function wrapText(text: string, width: number, lineBreak: string, breaksWords: boolean): string {
  const bytes = bytesOf(text)
  const limit = Math.max(width, 1)
  const parts: string[] = []
  let offset = 0
  const cut = (end: number, next: number) => {
    parts.push(fromBytes(bytes.subarray(offset, end)), lineBreak === '' ? '\n' : lineBreak)
    offset = next
  }
  while (bytes.length - offset > limit) {
    if (bytes[offset] === space) {
      offset++
      continue
    }
    const before = bytes.subarray(offset, offset + limit + 1).lastIndexOf(space)
    if (before >= 0) {
      cut(offset + before, offset + before + 1)
      continue
    }
    const end = offset + limit
    if (breaksWords) {
      cut(end, end)
      continue
    }
    const after = bytes.indexOf(space, end)
    if (after < 0) break
    cut(after, after + 1)
  }
  parts.push(fromBytes(bytes.subarray(offset)))
  return parts.join('')
}

/** Shortens a text to `width` bytes with dots at its end and, where `offset` is past its start, at its beginning. */
export function abbreviate(text: string, offset: number, width: number): string {
  const bytes = bytesOf(text)
  const { length } = bytes
  if (length <= width) return text
  let left = Math.min(offset, length)
  if (length - left < width - 3) left = length - (width - 3)
  if (left <= 4) return `${fromBytes(bytes.subarray(0, width - 3))}...`
  if (width < 7) return ''
  if (left + width - 3 < length) return `...${abbreviate(fromBytes(bytes.subarray(left)), 0, width - 3)}`
  return `...${fromBytes(bytes.subarray(length - (width - 3)))}`
}
