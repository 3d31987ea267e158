import { createHash } from 'node:crypto'
import { fromBytes } from '../../../gotemplate/format/bytes.ts'
import { define, type FunctionFamily } from '../define-function.ts'
import { type BaseDecoding, decodeBase32, decodeBase64, encodeBase32 } from './base-encoding.ts'
import { bytesOf } from './go-bytes.ts'

/** Sprig's encodings and checksums; what cannot be decoded gives the error's text instead. */
export const encodingFunctions: FunctionFamily = {
  b64enc: define(['string'], (text) => bytesOf(text).toString('base64')),
  b64dec: define(['string'], (text) => decoded(decodeBase64(bytesOf(text)))),
  b32enc: define(['string'], (text) => encodeBase32(bytesOf(text))),
  b32dec: define(['string'], (text) => decoded(decodeBase32(bytesOf(text)))),
  sha1sum: define(['string'], (text) => hash('sha1', text)),
  sha256sum: define(['string'], (text) => hash('sha256', text)),
  sha512sum: define(['string'], (text) => hash('sha512', text)),
  adler32sum: define(['string'], (text) => String(adler32(bytesOf(text)))),
}

function decoded(result: BaseDecoding): string {
  return result.problem ?? fromBytes(result.bytes)
}

function hash(algorithm: string, text: string): string {
  return createHash(algorithm).update(bytesOf(text)).digest('hex')
}

function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0]
  for (const byte of bytes) {
    a = (a + byte) % 65521
    b = (b + a) % 65521
  }
  return b * 65536 + a
}
