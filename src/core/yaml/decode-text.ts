import { LadingError } from '../errors.ts'

/** Decodes the bytes of a YAML or JSON file: UTF-8, or UTF-16 where a byte order mark says so. */
export function decodeText(bytes: Uint8Array, file?: string): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    throw new LadingError(
      'yaml.syntax',
      `${file ?? 'the input'} is not ${encoding.toUpperCase()} text`,
      { file },
      { cause: error },
    )
  }
}
