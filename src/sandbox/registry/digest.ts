import { createHash } from 'node:crypto'

/** A digest in its two parts. */
export interface Digest {
  readonly algorithm: 'sha256' | 'sha512'
  readonly hex: string
}

/** Reads `sha256:…` or `sha512:…`; undefined for anything else. */
export function parseDigest(text: string): Digest | undefined {
  const [, algorithm, hex = ''] = /^(sha256|sha512):([0-9a-f]+)$/.exec(text) ?? []
  if (algorithm === 'sha256' && hex.length === 64) return { algorithm, hex }
  return algorithm === 'sha512' && hex.length === 128 ? { algorithm, hex } : undefined
}

/** The digest of bytes that are at hand. */
export function digestOf(bytes: Uint8Array, algorithm: Digest['algorithm'] = 'sha256'): string {
  return `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`
}
