import { createHash, randomBytes } from 'node:crypto'

/** Where random bytes come from. */
export interface RandomSource {
  /** Whether the same bytes come again for the same seed. */
  readonly isSeeded: boolean
  bytes(count: number): Buffer
}

/** The machine's own randomness. */
export function cryptoRandom(): RandomSource {
  return { isSeeded: false, bytes: (count) => randomBytes(count) }
}

/** Bytes that follow from a seed: SHA-256 over the seed and a counter. For reproducible renders, not for secrets. */
export function seededRandom(seed: string): RandomSource {
  let block = 0
  let rest = Buffer.alloc(0)
  const next = () => createHash('sha256').update(`${block++}:${seed}`).digest()
  return {
    isSeeded: true,
    bytes(count) {
      const parts = [rest]
      let length = rest.length
      while (length < count) {
        const part = next()
        parts.push(part)
        length += part.length
      }
      const all = Buffer.concat(parts)
      rest = all.subarray(count)
      return all.subarray(0, count)
    },
  }
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
