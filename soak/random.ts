/** Numbers that follow from a seed, so that a round can be run again. */
export interface Random {
  /** A number in [0, 1). */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  /** One of the choices. */
  pick<T>(choices: readonly T[]): T
}

/** The numbers of one round of a run. */
export function randomOf(seed: number, round: number): Random {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(round + 1, 0x85ebca6b)) >>> 0
  // Mulberry32: small, and good enough to draw cases with.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: <T>(choices: readonly T[]) => choices[Math.floor(next() * choices.length)] as T,
  }
}
