import { describe, expect, it } from 'vitest'
import { median, Series, turned } from './series.ts'

describe('summary', () => {
  it('compares each round with the same round of the reference', () => {
    const series = new Series()
    // The machine was ten times slower in the second round; the ratio is 2 in every round.
    for (const [round, ms] of [10, 100, 12].entries()) {
      series.record('limit', round, { ms })
      series.record('ours', round, { ms: 2 * ms, cpuMs: round, peakBytes: 7 })
    }
    expect(series.summary('ours', 'limit')).toEqual({
      rounds: 3,
      medianMs: 24,
      bestMs: 20,
      ratio: 2,
      cpuMs: 1,
      peakBytes: 7,
      failure: undefined,
    })
  })

  it('keeps rounds apart when one of them failed', () => {
    const series = new Series()
    series.record('limit', 0, { ms: 1 })
    series.record('limit', 1, { ms: 10 })
    series.record('peer', 0, { failure: 'too large' })
    series.record('peer', 1, { ms: 30 })
    expect(series.summary('peer', 'limit')).toMatchObject({ rounds: 1, ratio: 3, failure: 'too large' })
  })

  it('knows no numbers of a row that always failed', () => {
    const series = new Series()
    series.record('peer', 0, { failure: 'too large' })
    expect(series.summary('peer', 'peer')).toMatchObject({ rounds: 0, medianMs: undefined, bestMs: undefined })
  })
})

it('puts another way first in each round', () => {
  expect([0, 1, 2, 3].map((round) => turned(['a', 'b', 'c'], round).join(''))).toEqual(['abc', 'bca', 'cab', 'abc'])
})

it('takes the mean of the two middle numbers of an even count', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5)
  expect(median([3, 1, 2])).toBe(2)
  expect(median([])).toBeUndefined()
})
