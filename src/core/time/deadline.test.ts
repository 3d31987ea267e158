import { expect, it } from 'vitest'
import { manualClock } from './clock.ts'
import { context } from '../context.ts'
import { during, followDuring, followWithinDeadline, overtime, overtimeMs, withinDeadline } from './deadline.ts'
import { LadingError } from '../errors.ts'

const minutes = 60_000

it('ends work that waits for something at the deadline, and says what was under way', async () => {
  const clock = manualClock()
  const work = withinDeadline(30_000, context({ clock }), (timed) =>
    during('planning', timed, async () => {
      await during('reading', timed, async () => undefined)
      await during('fetching a chart', timed, () => clock.sleep(68 * 365 * 24 * 60 * minutes, timed.signal))
    }),
  )
  const ended = failureOf(work)
  while (clock.sleeping < 2) await new Promise((resolve) => setImmediate(resolve))
  await clock.advance(30_000)
  expect(await ended).toMatchObject({
    code: 'timeout',
    message: 'timed out after 30 s while fetching a chart',
    details: { timeoutMs: 30_000, while: 'fetching a chart' },
  })
  expect(clock.sleeping).toBe(0)
})

it('neither ends early nor late when the time of day is set meanwhile', async () => {
  for (const jump of [10 * minutes, -10 * minutes]) {
    const clock = manualClock(1_700_000_000_000)
    let over = false
    const work = withinDeadline(30_000, context({ clock }), (timed) => clock.sleep(60_000, timed.signal))
    const ended = work.catch(() => (over = true))
    await clock.advance(20_000)
    clock.jump(jump)
    await clock.advance(9_999)
    expect(over).toBe(false)
    await clock.advance(1)
    await ended
    expect(over).toBe(true)
  }
})

it('calls what was cancelled by the deadline timed out, and what the user cancelled cancelled', async () => {
  const clock = manualClock()
  const user = new AbortController()
  const cancelledBy = (signal: AbortSignal): Promise<void> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new LadingError('cancelled', 'was cancelled', { file: 'a' })))
    })
  const late = withinDeadline(1000, context({ clock }), ({ signal }) => cancelledBy(signal))
  const stopped = withinDeadline(2000, context({ clock, signal: user.signal }), ({ signal }) => cancelledBy(signal))
  const ended = [failureOf(late), failureOf(stopped)]
  await clock.advance(1000)
  user.abort()
  await clock.advance(2000)
  expect(await Promise.all(ended)).toMatchObject([{ code: 'timeout', details: { file: 'a' } }, { code: 'cancelled' }])
})

it('lets work inside of other work end at the earlier deadline, and leaves no timer behind', async () => {
  const clock = manualClock()
  const outer = followWithinDeadline(5000, context({ clock }), async function* (timed) {
    yield clock.sleeping
    await withinDeadline(60_000, timed, (inner) => clock.sleep(50_000, inner.signal))
  })
  expect((await outer.next()).value).toBe(1)
  const ended = failureOf(outer.next())
  await clock.advance(5000)
  expect(await ended).toMatchObject({ message: 'timed out after 5 s' })
  expect(clock.sleeping).toBe(0)
})

it('gives what ends at the deadline by itself some more time, and not for ever', async () => {
  const clock = manualClock()
  const seen: string[] = []
  const work = followWithinDeadline(1000, context({ clock }), (timed) =>
    followDuring(
      'waiting',
      timed,
      (async function* () {
        const after = overtime(timed)
        after.signal.addEventListener('abort', () => seen.push('over'))
        timed.signal.addEventListener('abort', () => seen.push('deadline'))
        yield
        await clock.sleep(10 * minutes, after.signal)
      })(),
    ),
  )
  await work.next()
  const ended = failureOf(work.next())
  await clock.advance(1000)
  expect(seen).toEqual(['deadline'])
  await clock.advance(overtimeMs)
  expect(await ended).toMatchObject({ message: 'timed out after 1 s while waiting' })
  expect(seen).toEqual(['deadline', 'over'])
})

/** What a promise is rejected with; listened to from the start. */
async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => undefined,
    (error: unknown) => error,
  )
}
