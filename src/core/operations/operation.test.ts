import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

import { LadingError } from '../errors.ts'
import { type Operation, operation, type OperationOptions } from './operation.ts'

interface Count {
  readonly count: number
}

/** Counts to `to`; `log` tells when it starts and that it cleaned up. */
function counting(to: number, options: OperationOptions<Count> & { log?: string[]; fail?: Error } = {}) {
  const { log = [], fail } = options
  const work = async function* (): AsyncGenerator<Count, string, void> {
    log.push('started')
    try {
      for (let count = 1; count <= to; count++) yield { count }
      if (fail !== undefined) throw fail
      return `counted to ${to}`
    } finally {
      log.push('cleaned up')
    }
  }
  return operation('counting', work, options)
}

async function follow(work: Operation<string, Count>): Promise<number[]> {
  const seen: number[] = []
  for await (const { count } of work) seen.push(count)
  return seen
}

describe('awaiting an operation', () => {
  it('gives its result', async () => {
    expect(await counting(3)).toBe('counted to 3')
  })

  it('does nothing before it is awaited, and runs once however often it is awaited', async () => {
    const log: string[] = []
    const work = counting(2, { log })
    await Promise.resolve()
    expect(log).toEqual([])
    expect(await Promise.all([work, work])).toEqual(['counted to 2', 'counted to 2'])
    expect(await work).toBe('counted to 2')
    expect(log).toEqual(['started', 'cleaned up'])
  })

  it('throws what the work throws, each time', async () => {
    const fail = new LadingError('internal', 'broken')
    const work = counting(1, { fail })
    await expect(work).rejects.toBe(fail)
    await expect(work).rejects.toBe(fail)
  })

  it('has catch and finally as a promise has', async () => {
    const log: string[] = []
    const fail = new LadingError('internal', 'broken')
    expect(await counting(1, { fail }).catch((error: unknown) => error)).toBe(fail)
    expect(await counting(1).finally(() => log.push('end'))).toBe('counted to 1')
    expect(log).toEqual(['end'])
  })

  it('refuses to be iterated afterwards, and says what to do instead', async () => {
    const work = counting(1)
    const result = work.then((value) => value)
    await expect(follow(work)).rejects.toThrow(
      'counting is awaited already and cannot be iterated too: pass onEvent to get its events',
    )
    expect(await result).toBe('counted to 1')
  })
})

describe('iterating an operation', () => {
  it('gives its events, and awaiting it afterwards its result', async () => {
    const work = counting(3)
    expect(await follow(work)).toEqual([1, 2, 3])
    expect(await work).toBe('counted to 3')
  })

  it('may be awaited at the same time: the result comes when the iteration ends', async () => {
    const work = counting(2)
    const following = follow(work)
    expect(await Promise.all([following, work])).toEqual([[1, 2], 'counted to 2'])
  })

  it('gives events and result to yield*, as a generator does', async () => {
    const outer = operation('outer', async function* (): AsyncGenerator<Count, string, void> {
      const result = yield* counting(2)
      yield { count: 9 }
      return `${result}, and on`
    })
    expect(await follow(outer)).toEqual([1, 2, 9])
    expect(await outer).toBe('counted to 2, and on')
  })

  it('throws what the work throws, without an unhandled rejection', async () => {
    const fail = new LadingError('internal', 'broken')
    await expect(follow(counting(1, { fail }))).rejects.toBe(fail)
  })

  it('cleans up when the loop is left early, and awaiting says that it was stopped', async () => {
    const log: string[] = []
    const work = counting(5, { log })
    for await (const { count } of work) if (count === 2) break
    expect(log).toEqual(['started', 'cleaned up'])
    await expect(work).rejects.toMatchObject({ code: 'cancelled', message: 'counting was stopped before its end' })
  })

  it('cleans up through yield* when the outer loop is left early', async () => {
    const log: string[] = []
    const outer = operation('outer', async function* (): AsyncGenerator<Count, string, void> {
      return yield* counting(5, { log })
    })
    for await (const { count } of outer) if (count === 1) break
    expect(log).toEqual(['started', 'cleaned up'])
  })

  it('throws into the work', async () => {
    const log: string[] = []
    const work = counting(5, { log })
    await work.next()
    const fail = new LadingError('internal', 'thrown in')
    await expect(work.throw(fail)).rejects.toBe(fail)
    await expect(work).rejects.toBe(fail)
    expect(log).toEqual(['started', 'cleaned up'])
  })

  it('never starts once it was returned from', async () => {
    const log: string[] = []
    const work = counting(5, { log })
    expect(await work.return('nothing')).toEqual({ done: true, value: 'nothing' })
    expect(log).toEqual([])
  })
})

describe('onEvent', () => {
  it('gets every event of an awaited operation', async () => {
    const seen: number[] = []
    expect(await counting(3, { onEvent: ({ count }) => seen.push(count) })).toBe('counted to 3')
    expect(seen).toEqual([1, 2, 3])
  })

  it('gets every event of an iterated operation before the loop does', async () => {
    const seen: string[] = []
    const work = counting(2, { onEvent: ({ count }) => seen.push(`event ${count}`) })
    for await (const { count } of work) seen.push(`loop ${count}`)
    expect(seen).toEqual(['event 1', 'loop 1', 'event 2', 'loop 2'])
  })

  it('ends the operation when it throws, also later', async () => {
    const log: string[] = []
    const fail = new LadingError('internal', 'no printer')
    const onEvent = async (): Promise<void> => {
      await Promise.resolve()
      throw fail
    }
    await expect(counting(3, { log, onEvent })).rejects.toBe(fail)
    expect(log).toEqual(['started', 'cleaned up'])
  })
})

describe('await using', () => {
  it('stops an operation that is under way', async () => {
    const log: string[] = []
    {
      await using work = counting(5, { log })
      await work.next()
    }
    expect(log).toEqual(['started', 'cleaned up'])
  })

  it('leaves the result of an operation that has ended', async () => {
    const work = counting(1)
    await work
    await work[Symbol.asyncDispose]()
    expect(await work).toBe('counted to 1')
  })
})

describe('an operation that nobody uses', () => {
  const module = JSON.stringify(new URL('operation.ts', import.meta.url).href)
  const make = `import { operation } from ${module}
    const make = (name) => operation(name, async function* () { console.log('ran') })\n`

  it('says so when the process has nothing more to do', async () => {
    const { stdout, stderr } = await runScript(`${make} globalThis.kept = make('upgrade'); await make('install')`)
    expect(stdout).toBe('ran\n')
    expect(stderr).toContain('[LADING_UNUSED_OPERATION] UnusedOperationWarning: upgrade was called but did nothing')
    expect(stderr).not.toContain('install')
  })

  it('says so when it is garbage collected', async () => {
    const script = `${make}
      const warning = new Promise((resolve) => process.once('warning', resolve))
      make('upgrade')
      const alive = setInterval(() => gc(), 5)
      console.log((await warning).message)
      clearInterval(alive)`
    const { stdout } = await runScript(script)
    expect(stdout).toContain('upgrade was called but did nothing, because its result was neither awaited nor iterated')
  })
})

async function runScript(script: string): Promise<{ stdout: string; stderr: string }> {
  const flags = ['--expose-gc', '--input-type=module-typescript', '--eval', script]
  return await promisify(execFile)(process.execPath, flags)
}
