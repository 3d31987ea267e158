import type { Context } from '../src/core/index.ts'
import { logTail, type ManagedProcess } from './processes.ts'
import { TestbedError } from './testbed-error.ts'

/** Asks again until the answer is yes; fails when a process that it depends on ends, or after `timeoutMs`. */
export async function waitUntil(
  what: string,
  isSo: () => Promise<boolean>,
  options: { readonly processes: readonly ManagedProcess[]; readonly timeoutMs?: number },
  ctx: Context,
): Promise<void> {
  const { processes, timeoutMs = 120_000 } = options
  const deadline = ctx.clock.now() + timeoutMs
  let cause: unknown
  for (;;) {
    const yes = await isSo().catch((error: unknown) => {
      cause = error
      return false
    })
    if (yes) return
    const ended = processes.find((process) => process.exit !== undefined)
    if (ended !== undefined) {
      throw new TestbedError(`${ended.name} ended with ${ended.exit} before ${what}:\n${await logTail(ended)}`, {
        cause,
      })
    }
    if (ctx.clock.now() > deadline) {
      const tails = await Promise.all(processes.map(async (process) => `${process.name}:\n${await logTail(process)}`))
      throw new TestbedError(`waited ${timeoutMs / 1000} s until ${what}, in vain:\n${tails.join('\n')}`, { cause })
    }
    await ctx.clock.sleep(50, ctx.signal)
  }
}
