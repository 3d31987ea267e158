import { fromBytes, toBytes } from '../../../gotemplate/format/bytes.ts'

// oxlint-disable-next-line no-control-regex
const ascii = /^[\x00-\x7f]*$/

/** The bytes that a template's text stands for. */
export function bytesOf(text: string): Buffer {
  const bytes = toBytes(text)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Go's `text[start:end]`, counted in bytes. */
export function sliceBytes(text: string, start: number, end?: number): string {
  return ascii.test(text) ? text.slice(start, end) : fromBytes(toBytes(text).subarray(start, end))
}
