import { damaged, readText } from './read-field.ts'

const unreadable = 'an extended header cannot be read'

/** What a pax extended header says about the entry that follows, as far as it matters here. */
export interface PaxFields {
  readonly path?: string
  readonly size?: number
}

/**
 * Reads the records of a pax extended header, `LENGTH KEY=VALUE\n` each (POSIX, pax interchange format). Values of other keys are
 * passed over: macOS writes attributes there that are no text.
 */
export function readPax(content: Uint8Array, strict: boolean): PaxFields {
  let fields: PaxFields = {}
  for (let at = 0; at < content.byteLength;) {
    const space = content.indexOf(0x20, at)
    const digits = space < 0 || space - at > 10 ? '' : Buffer.from(content.subarray(at, space)).toString('latin1')
    const end = at + Number(digits)
    const equals = content.indexOf(0x3d, space)
    if (!/^[1-9]\d*$/.test(digits) || end > content.byteLength || content[end - 1] !== 0x0a) throw damaged(unreadable)
    if (equals < 0 || equals >= end) throw damaged(unreadable)
    const key = Buffer.from(content.subarray(space + 1, equals)).toString('latin1')
    const value = content.subarray(equals + 1, end - 1)
    // Sparse files are stored otherwise than their header says, which is how readers come to disagree.
    if (key.startsWith('GNU.sparse.')) throw damaged('an extended header describes a sparse file')
    if (key === 'path') fields = { ...fields, path: pathOf(value, strict) }
    if (key === 'size') fields = { ...fields, size: sizeOf(value) }
    at = end
  }
  return fields
}

function pathOf(value: Uint8Array, strict: boolean): string {
  if (value.includes(0)) throw damaged('an extended header has a path with a NUL byte')
  return readText(value, strict)
}

function sizeOf(value: Uint8Array): number {
  const digits = Buffer.from(value).toString('latin1')
  if (!/^\d{1,15}$/.test(digits)) throw damaged('an extended header has an invalid size')
  return Number(digits)
}
