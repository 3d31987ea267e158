import { LadingError } from '../../core/index.ts'

/** Reads the records of a pax extended header, `LENGTH KEY=VALUE\n` each (POSIX, pax interchange format). */
export function readPax(content: Uint8Array): ReadonlyMap<string, string> {
  const records = new Map<string, string>()
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  for (let at = 0; at < content.byteLength;) {
    const space = content.indexOf(0x20, at)
    const digits = space < 0 || space - at > 10 ? '' : Buffer.from(content.subarray(at, space)).toString('latin1')
    const end = at + Number(digits)
    if (!/^[1-9]\d*$/.test(digits) || end > content.byteLength || end <= space || content[end - 1] !== 0x0a) {
      throw invalid('cannot be read')
    }
    const equals = content.indexOf(0x3d, space)
    if (equals < 0 || equals >= end) throw invalid('cannot be read')
    let key: string
    let value: string
    try {
      key = decoder.decode(content.subarray(space + 1, equals))
      value = decoder.decode(content.subarray(equals + 1, end - 1))
    } catch (error) {
      throw invalid('is no UTF-8', error)
    }
    // Sparse files are stored otherwise than their header says, which is how readers come to disagree.
    if (key.startsWith('GNU.sparse.')) throw invalid('describes a sparse file')
    if (value.includes('\0')) throw invalid('has a NUL byte')
    records.set(key, value)
    at = end
  }
  return records
}

function invalid(what: string, cause?: unknown): LadingError {
  const message = `the tar archive is damaged: an extended header ${what}`
  return new LadingError('archive.invalid', message, {}, { cause })
}
