import { expect, it } from 'vitest'
import { context } from '../context.ts'
import { LadingError } from '../errors.ts'
import { runConcurrently } from './run-concurrently.ts'

it('yields results in the order they finish, never more in flight than the limit', async () => {
  const gates = [gate(), gate(), gate(), gate()]
  let inFlight = 0
  let most = 0
  const run = runConcurrently(
    [0, 1, 2, 3],
    2,
    async (index) => {
      most = Math.max(most, ++inFlight)
      await gates[index]?.opened
      inFlight--
      return index
    },
    context(),
  )
  gates[1]?.open()
  expect((await run.next()).value).toBe(1)
  gates[2]?.open()
  expect((await run.next()).value).toBe(2)
  gates[3]?.open()
  expect((await run.next()).value).toBe(3)
  gates[0]?.open()
  expect((await run.next()).value).toBe(0)
  expect((await run.next()).done).toBe(true)
  expect(most).toBe(2)
})

it('aborts what is in flight and starts nothing more when the consumer leaves', async () => {
  const started: number[] = []
  const aborted: number[] = []
  const work = async (item: number, ctx: { signal: AbortSignal }): Promise<number> => {
    started.push(item)
    if (item === 0) return item
    await new Promise<void>((resolve) => ctx.signal.addEventListener('abort', () => resolve()))
    aborted.push(item)
    return item
  }
  for await (const result of runConcurrently([0, 1, 2, 3, 4, 5], 3, work, context())) {
    expect(result).toBe(0)
    break
  }
  expect(started).toEqual([0, 1, 2, 3])
  expect(aborted).toEqual([1, 2, 3])
})

it('ends with the first error after everything in flight has settled', async () => {
  const aborted: number[] = []
  const failing = new LadingError('kube.unreachable', 'connection refused')
  const run = runConcurrently(
    [0, 1, 2],
    3,
    async (item, ctx) => {
      if (item === 1) throw failing
      await new Promise<void>((resolve) => ctx.signal.addEventListener('abort', () => resolve()))
      aborted.push(item)
      return item
    },
    context(),
  )
  await expect(drain(run)).rejects.toBe(failing)
  expect(aborted).toEqual([0, 2])
})

it('says cancelled when the signal aborts', async () => {
  const controller = new AbortController()
  const run = runConcurrently(
    [0, 1, 2],
    1,
    (item) => {
      if (item === 1) controller.abort()
      return Promise.resolve(item)
    },
    context({ signal: controller.signal }),
  )
  await expect(drain(run)).rejects.toMatchObject({ code: 'cancelled' })
})

it('has nothing to do for an empty set', async () => {
  expect(await drain(runConcurrently([], 4, () => Promise.resolve(1), context()))).toEqual([])
})

async function drain<T>(run: AsyncGenerator<T>): Promise<T[]> {
  const results: T[] = []
  for await (const result of run) results.push(result)
  return results
}

function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}
