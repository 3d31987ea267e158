import { describe, expect, it } from 'vitest'
import { context, LadingError } from '../../core/index.ts'
import { GoInt, type GoList, goType } from '../gotemplate/value.ts'
import { decodeValue, encodeValue } from './encode-value.ts'
import { runStoppable } from './run-stoppable.ts'
import { deepJob, echoJob, endlessJob, failingJob, slowHereJob } from './testdata/sample-jobs.ts'

const inWorker = { inlineMs: 0 }

describe('work that a signal ends', () => {
  it('is done right here where it is short: what it gives is the very object', async () => {
    const input = { a: 1 }
    expect(await runStoppable(echoJob, input, context())).toBe(input)
  })

  it('is dropped and begun again in a worker where it is not done in time', async () => {
    const said: string[] = []
    const log = { ...context().log, debug: (message: string) => void said.push(message) }
    expect(await runStoppable(slowHereJob, undefined, context({ log }), { inlineMs: 1 })).toBe('done in a worker')
    expect(said).toEqual(['rendering takes long, or nests deeply, and goes on in a thread of its own'])
  })

  it('is begun again in a worker, whose stack is deeper, where it nests too deeply for this thread', async () => {
    expect(await runStoppable(deepJob, 20_000, context())).toBe(20_000)
    await expect(runStoppable(deepJob, 10_000_000, context())).rejects.toThrow(RangeError)
  })

  it.each([
    ['cancelled', undefined, { code: 'cancelled', message: 'the operation was cancelled' }],
    [
      'over its time',
      new DOMException('time', 'TimeoutError'),
      { message: 'the time allowed for the operation is over' },
    ],
    [
      'stopped for a reason of its own',
      new LadingError('release.changed', 'moved', { name: 'a', namespace: 'b' }),
      { code: 'release.changed' },
    ],
  ] as const)('that is %s ends, and nothing of it goes on', async (_, reason, error) => {
    const counter = new Int32Array(new SharedArrayBuffer(4))
    const controller = new AbortController()
    const running = runStoppable(
      endlessJob,
      new Uint8Array(counter.buffer),
      context({ signal: controller.signal }),
      inWorker,
    )
    const begun = Atomics.waitAsync(counter, 0, 0)
    if (begun.async) await begun.value
    controller.abort(reason)
    const failure = await running.catch((failed: unknown) => failed)
    expect(failure).toBeInstanceOf(LadingError)
    expect(failure).toMatchObject(error)
    const after = Atomics.load(counter, 0)
    expect(await runStoppable(echoJob, 'next', context(), inWorker)).toBe('next')
    expect(Atomics.load(counter, 0)).toBe(after)
  })

  it('does not begin under a signal that is aborted already', async () => {
    const signal = AbortSignal.abort()
    await expect(runStoppable(slowHereJob, undefined, context({ signal }))).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('fails in a worker as it fails here: code, sentence, details and causes', async () => {
    const [here, there] = await Promise.all(
      [{}, inWorker].map((options) =>
        runStoppable(failingJob, 'a.yaml:3: wrong', context(), options).catch((error: unknown) => error),
      ),
    )
    expect(here).toBeInstanceOf(LadingError)
    expect(there).toBeInstanceOf(LadingError)
    expect(shown(there)).toEqual(shown(here))
  })

  it('takes values of templates to a worker and back, and loses nothing', async () => {
    const table = Object.assign(Object.create(null) as object, { int: new GoInt(7, 'int64'), none: null })
    Object.defineProperty(table, '__proto__', { value: 'a key', enumerable: true })
    const list = Object.defineProperty(['a'], goType, { value: '[]string' }) as GoList
    const input = { table, list, float: 1.5, big: 2n ** 70n, bytes: new Uint8Array([1, 2]), map: new Map([['k', [1]]]) }
    const output = (await runStoppable(echoJob, input, context(), inWorker)) as typeof input
    expect(output).toEqual(input)
    expect(Object.getPrototypeOf(output.table)).toBeNull()
    expect(Object.keys(output.table)).toEqual(['int', 'none', '__proto__'])
    expect((output.table as { int: unknown }).int).toBeInstanceOf(GoInt)
    expect(output.list[goType]).toBe('[]string')
  })

  it('says of a failure that is not its own what it was', () => {
    const error = decodeValue(structuredClone(encodeValue(new TypeError('x is not a function')))) as Error
    expect([error.name, error.message]).toEqual(['TypeError', 'x is not a function'])
  })
})

function shown(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, cause } = error
  return { name, message, cause: shown(cause), ...(error instanceof LadingError && error.toJSON()) }
}
