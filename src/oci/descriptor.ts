import { createHash } from 'node:crypto'
import { LadingError } from '../core/index.ts'

/** Content by what it is, what it hashes to and how long it is (OCI image specification, "Content Descriptors"). */
export interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
  readonly annotations?: Readonly<Record<string, string>>
  readonly artifactType?: string
  readonly platform?: Platform
}

/** What an image of an index is made for. */
export interface Platform {
  readonly architecture: string
  readonly os: string
  readonly variant?: string
}

/** A digest in its two parts. */
export interface Digest {
  readonly algorithm: DigestAlgorithm
  readonly hex: string
}

/** The algorithms that the specification registers and Lading computes. */
export type DigestAlgorithm = 'sha256' | 'sha512'

/** What a descriptor may say beside what the content itself tells. */
export interface DescriptorExtra {
  readonly annotations?: Readonly<Record<string, string>>
  readonly artifactType?: string
  readonly platform?: Platform
  /** The algorithm of the digest (default: sha256). */
  readonly algorithm?: DigestAlgorithm
}

const hexLength: Readonly<Record<DigestAlgorithm, number>> = { sha256: 64, sha512: 128 }

/** The descriptor of content that is at hand. */
export function describe(mediaType: string, content: Uint8Array, extra: DescriptorExtra = {}): Descriptor {
  const { algorithm = 'sha256', ...rest } = extra
  return { mediaType, digest: digestOf(content, algorithm), size: content.byteLength, ...rest }
}

/** Refuses content that is not what the descriptor says, by `oci.digest-mismatch`. */
export function verifyContent(descriptor: Descriptor, content: Uint8Array): void {
  const { algorithm } = parseDigest(descriptor.digest)
  if (content.byteLength !== descriptor.size) throw sizeMismatch(descriptor, content.byteLength)
  const actual = digestOf(content, algorithm)
  if (actual !== descriptor.digest) throw digestMismatch(descriptor, actual)
}

/** The digest of content that is at hand. */
export function digestOf(content: Uint8Array, algorithm: DigestAlgorithm = 'sha256'): string {
  return `${algorithm}:${createHash(algorithm).update(content).digest('hex')}`
}

/** Reads `sha256:…` or `sha512:…`; anything else is refused, so that a digest is safe to be part of a path. */
export function parseDigest(text: string): Digest {
  const [, algorithm, hex = ''] = /^(sha256|sha512):([0-9a-f]+)$/.exec(text) ?? []
  if ((algorithm === 'sha256' || algorithm === 'sha512') && hex.length === hexLength[algorithm]) {
    return { algorithm, hex }
  }
  throw new LadingError('oci.digest-invalid', `${JSON.stringify(text.slice(0, 200))} is no sha256 or sha512 digest`)
}

/** Whether a text is a digest that Lading can verify. */
export function isDigest(text: string): boolean {
  const [, algorithm = '', hex = ''] = /^(sha256|sha512):([0-9a-f]+)$/.exec(text) ?? []
  return hexLength[algorithm as DigestAlgorithm] === hex.length
}

/** The error for content of another length than its descriptor says. */
export function sizeMismatch({ digest, size }: Descriptor, actual: number, more = false): LadingError {
  const message = `${digest} must have ${size} bytes, and ${actual}${more ? ' or more' : ''} were received`
  return new LadingError('oci.digest-mismatch', message, { digest, size, actual })
}

/** The error for content with another hash than its descriptor says. */
export function digestMismatch({ digest }: Descriptor, actual: string): LadingError {
  return new LadingError('oci.digest-mismatch', `content of ${digest} hashes to ${actual}`, { digest, actual })
}
