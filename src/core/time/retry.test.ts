import { expect, it } from 'vitest'
import { nextAttempt, type RetryPolicy } from './retry.ts'

const policy: RetryPolicy = {
  attempts: 3,
  throttledAttempts: 5,
  maxElapsedMs: 10_000,
  maxPauseMs: 1_000,
  random: () => 0.5,
}

it('pauses twice as long after each attempt, up to the longest pause', () => {
  const patient = { ...policy, attempts: 99 }
  const pauses = [1, 2, 3, 4, 5, 60].map((made) => nextAttempt(patient, { made, elapsedMs: 0 }, false, 0))
  expect(pauses).toEqual([100, 200, 400, 500, 500, 500])
})

it('adds a pause of its own to what the server asked for', () => {
  expect(nextAttempt(policy, { made: 1, elapsedMs: 0 }, true, 3_000)).toBe(3_100)
})

it('tries longer while the server only asks to come back later', () => {
  expect(nextAttempt(policy, { made: 3, elapsedMs: 0 }, false, 0)).toBeUndefined()
  expect(nextAttempt(policy, { made: 3, elapsedMs: 0 }, true, 0)).toBe(400)
  expect(nextAttempt(policy, { made: 5, elapsedMs: 0 }, true, 0)).toBeUndefined()
})

it('begins no attempt after the time for all of them', () => {
  expect(nextAttempt(policy, { made: 1, elapsedMs: 9_900 }, false, 0)).toBe(100)
  expect(nextAttempt(policy, { made: 1, elapsedMs: 9_901 }, false, 0)).toBeUndefined()
})
