import { type Context, LadingError } from '../../../core/index.ts'

/** Runs something that may take so long, by the context's clock, and not longer. */
export async function withTimeout<Result>(
  what: string,
  ms: number,
  ctx: Context,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController()
  const done = new AbortController()
  const timer = ctx.clock.sleep(ms, done.signal).then(
    () => late.abort(),
    () => undefined,
  )
  try {
    return await work({ ...ctx, signal: AbortSignal.any([ctx.signal, late.signal]) })
  } catch (error) {
    if (!late.signal.aborted || ctx.signal.aborted) throw error
    const problem = `${what} was not fetched within ${ms / 1000} seconds`
    throw new LadingError('repo.unreachable', problem, { url: what }, { cause: error })
  } finally {
    done.abort()
    await timer
  }
}
