import { type CipherKey, createCipheriv, createHash, randomBytes } from 'node:crypto'

/** Where random bytes come from. */
export interface RandomSource {
  bytes(count: number): Buffer
}

/** A seed that nobody can guess: 32 bytes in hexadecimal. Whoever knows it can compute everything that was drawn from it. */
export function newSeed(): string {
  return randomBytes(32).toString('hex')
}

/**
 * Bytes that follow from a seed: the key stream of ChaCha20 (RFC 8439) under the SHA-256 of the seed. They are as hard to guess as the
 * seed is, so passwords and keys may be drawn from them; the same seed gives the same bytes, however many are drawn at a time.
 */
export function seededRandom(seed: string): RandomSource {
  let stream: ReturnType<typeof createCipheriv> | undefined
  let pool = Buffer.alloc(0)
  const draw = (count: number): Buffer => {
    stream ??= createCipheriv('chacha20', keyOf(seed), Buffer.alloc(16))
    return stream.update(Buffer.alloc(count))
  }
  return {
    bytes(count) {
      if (pool.length < count) pool = Buffer.concat([pool, draw(Math.max(poolSize, count - pool.length))])
      const taken = pool.subarray(0, count)
      pool = pool.subarray(count)
      return taken
    },
  }
}

/** Most draws are a few bytes. */
const poolSize = 512

function keyOf(seed: string): CipherKey {
  return createHash('sha256').update(`lading.dev/random/v1:${seed}`).digest()
}

/** A whole number from zero up to, and not including, a bound; every one equally likely. */
export function randomBelow(random: RandomSource, bound: bigint): bigint {
  const size = Math.ceil(bound.toString(2).length / 8)
  const range = 1n << BigInt(size * 8)
  const limit = range - (range % bound)
  for (;;) {
    const value = BigInt(`0x${random.bytes(size).toString('hex')}`)
    if (value < limit) return value % bound
  }
}

/** A random UUID, version 4. */
export function randomUuid(random: RandomSource): string {
  const bytes = random.bytes(16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
