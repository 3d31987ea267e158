import type { Outcome, Sample } from './sample.ts'

/** The outcomes of several rows, round by round; a row's rounds stand in the order in which they ran. */
export class Series {
  readonly #rows = new Map<string, Map<number, Outcome>>()

  record(row: string, round: number, outcome: Outcome): void {
    const rounds = this.#rows.get(row) ?? new Map<number, Outcome>()
    this.#rows.set(row, rounds.set(round, outcome))
  }

  rowNames(): string[] {
    return [...this.#rows.keys()]
  }

  /** What the rounds of a row say together; ratios are to the row `reference`. */
  summary(row: string, reference: string): Summary {
    const outcomes = this.#rows.get(row) ?? new Map<number, Outcome>()
    const samples = [...outcomes.values()].filter(isSample)
    const failures = [...outcomes.values()].flatMap((outcome) => (isSample(outcome) ? [] : [outcome.failure]))
    // A round is compared with itself: what else the machine did then slowed both sides of it.
    const ratios = [...outcomes].flatMap(([round, outcome]) => {
      const limit = this.#rows.get(reference)?.get(round)
      return limit !== undefined && isSample(limit) && isSample(outcome) ? [outcome.ms / limit.ms] : []
    })
    return {
      rounds: samples.length,
      medianMs: median(samples.map(({ ms }) => ms)),
      bestMs: samples.length === 0 ? undefined : Math.min(...samples.map(({ ms }) => ms)),
      ratio: median(ratios),
      cpuMs: median(samples.flatMap(({ cpuMs }) => (cpuMs === undefined ? [] : [cpuMs]))),
      peakBytes: median(samples.flatMap(({ peakBytes }) => (peakBytes === undefined ? [] : [peakBytes]))),
      failure: failures[0],
    }
  }
}

/** The rounds of one row together; a number that is not known is undefined. */
export interface Summary {
  readonly rounds: number
  readonly medianMs: number | undefined
  readonly bestMs: number | undefined
  /** Median of the ratios of each round. */
  readonly ratio: number | undefined
  readonly cpuMs: number | undefined
  readonly peakBytes: number | undefined
  /** Why the first failing round failed. */
  readonly failure: string | undefined
}

/** The ways in the order of a round: another one comes first each time, so that a drift of the machine hits all alike. */
export function turned<T>(ways: readonly T[], round: number): T[] {
  const at = ways.length === 0 ? 0 : round % ways.length
  return [...ways.slice(at), ...ways.slice(0, at)]
}

/** The middle of some numbers; undefined of none. */
export function median(numbers: readonly number[]): number | undefined {
  const sorted = numbers.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  if (upper === undefined || sorted.length % 2 === 1) return upper
  return ((sorted[sorted.length / 2 - 1] ?? upper) + upper) / 2
}

function isSample(outcome: Outcome): outcome is Sample {
  return 'ms' in outcome
}
