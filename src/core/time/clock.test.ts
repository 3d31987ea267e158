import { expect, it, onTestFinished, vi } from 'vitest'
import { manualClock, systemClock } from './clock.ts'

it('a manual clock wakes sleepers in order, also those that sleep again', async () => {
  const clock = manualClock(1000)
  const seen: string[] = []
  const late = clock.sleep(20).then(() => seen.push(`late ${clock.now()}`))
  const twice = clock
    .sleep(5)
    .then(() => clock.sleep(5))
    .then(() => seen.push(`twice ${clock.now()}`))
  await clock.advance(30)
  await Promise.all([late, twice])
  expect(seen).toEqual(['twice 1010', 'late 1020'])
  expect(clock.now()).toBe(1030)
})

it.each([
  ['manual', manualClock()],
  ['system', systemClock],
])('the %s clock stops sleeping when the signal aborts', async (_name, clock) => {
  const controller = new AbortController()
  const sleeping = clock.sleep(60_000, controller.signal)
  controller.abort()
  await expect(sleeping).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  await expect(clock.sleep(1, controller.signal)).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
})

it('the system clock sleeps for months where it is asked to', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const month = 31 * 24 * 3_600_000
  let awake = false
  const sleeping = systemClock.sleep(month).then(() => (awake = true))
  await vi.advanceTimersByTimeAsync(month - 1)
  expect(awake).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await sleeping
  expect(awake).toBe(true)
})
