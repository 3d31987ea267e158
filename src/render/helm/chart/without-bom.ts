/** The bytes of a file without a byte order mark of UTF-8, which Helm takes off whatever the file is. */
export function withoutBom(data: Uint8Array): Uint8Array {
  return data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf ? data.subarray(3) : data
}
