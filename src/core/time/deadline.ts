import { monotonicNow } from './clock.ts'
import { type Context, context } from '../context.ts'
import { isLadingError, LadingError } from '../errors.ts'

/** When an operation has to be done, and what it is doing (ADR 22). */
export interface Deadline {
  /** On the clock's monotonic scale. */
  readonly at: number
  /** How long the whole operation was allowed to take. */
  readonly timeoutMs: number
  /** Aborts some time after the deadline: for steps that end at the deadline by themselves and then say what was not ready. */
  readonly overtime: AbortSignal
  /** What is being done, the newest last. */
  readonly underWay: { readonly what: string }[]
}

/** How long a step that ended at the deadline may still take to say why, to record the outcome and to clean up. */
export const overtimeMs = 30_000

/**
 * Does work that has to end within `timeoutMs`, whatever it waits for: then its signal aborts with the error `timeout`, which says what
 * was under way. Work inside other work with a deadline ends at the earlier of the two.
 */
export async function withinDeadline<T>(
  timeoutMs: number,
  ctx: Context,
  work: (timed: Context) => Promise<T>,
): Promise<T> {
  const { timed, explain, stop } = startDeadline(timeoutMs, ctx)
  try {
    return await work(timed)
  } catch (error) {
    throw explain(error)
  } finally {
    stop()
  }
}

/** As `withinDeadline`, for work that tells what happens. */
export async function* followWithinDeadline<Event, T>(
  timeoutMs: number,
  ctx: Context,
  work: (timed: Context) => AsyncGenerator<Event, T>,
): AsyncGenerator<Event, T> {
  const { timed, explain, stop } = startDeadline(timeoutMs, ctx)
  try {
    return yield* work(timed)
  } catch (error) {
    throw explain(error)
  } finally {
    stop()
  }
}

/** Names what is done for the message of a timeout: "timed out after 30 s while fetching …". */
export async function during<T>(what: string, ctx: Context, work: () => Promise<T>): Promise<T> {
  const end = begin(what, ctx)
  try {
    return await work()
  } finally {
    end()
  }
}

/** As `during`, for work that tells what happens. */
export async function* followDuring<Event, T>(
  what: string,
  ctx: Context,
  work: AsyncGenerator<Event, T>,
): AsyncGenerator<Event, T> {
  const end = begin(what, ctx)
  try {
    return yield* work
  } finally {
    end()
  }
}

/** A context for what ends at the deadline by itself, or has to be done after it: it lasts a little longer than the deadline. */
export function overtime(ctx: Context): Context {
  return ctx.deadline === undefined ? ctx : { ...ctx, signal: ctx.deadline.overtime }
}

/** When work that may take `timeoutMs` has to end, on the monotonic scale: never after the deadline of the whole operation. */
export function endOf(timeoutMs: number, ctx: Context): number {
  return Math.min(monotonicNow(ctx.clock) + timeoutMs, ctx.deadline?.at ?? Infinity)
}

/** How much time is left until an instant of the monotonic scale; at least a millisecond, as limit of a last look. */
export function timeLeft(end: number, ctx: Context): number {
  return Math.max(1, end - monotonicNow(ctx.clock))
}

interface Started {
  readonly timed: Context
  /** The error to throw: whatever was cancelled by the deadline timed out. */
  readonly explain: (error: unknown) => unknown
  readonly stop: () => void
}

function startDeadline(timeoutMs: number, ctx: Context): Started {
  const at = monotonicNow(ctx.clock) + timeoutMs
  const outer = ctx.deadline
  if (outer !== undefined && outer.at <= at) return { timed: ctx, explain: (error) => error, stop: () => undefined }
  const underWay = outer?.underWay ?? []
  const over = new AbortController()
  const after = new AbortController()
  const done = new AbortController()
  const timing = async (): Promise<void> => {
    await ctx.clock.sleep(timeoutMs, done.signal)
    over.abort(timedOut(timeoutMs, underWay))
    await ctx.clock.sleep(overtimeMs, done.signal)
    after.abort(over.signal.reason)
  }
  timing().catch(() => {
    // The work was done first.
  })
  const deadline: Deadline = {
    at,
    timeoutMs,
    underWay,
    overtime: AbortSignal.any([outer?.overtime ?? ctx.signal, after.signal]),
  }
  return {
    timed: context({ ...ctx, signal: AbortSignal.any([ctx.signal, over.signal]), deadline }),
    explain: (error) => {
      // What is no error of Lading's own comes of a request or a read that was cut off.
      const isCutOff = isLadingError(error, 'cancelled') || !isLadingError(error)
      if (!isCutOff || !over.signal.aborted || ctx.signal.aborted) return error
      const { message, details } = over.signal.reason as LadingError
      const known = isLadingError(error) ? error.details : {}
      return new LadingError('timeout', message, { ...known, ...details }, { cause: error })
    },
    stop: () => done.abort(),
  }
}

function timedOut(timeoutMs: number, underWay: Deadline['underWay']): LadingError {
  const what = underWay.at(-1)?.what
  const message = `timed out after ${timeoutMs / 1000} s${what === undefined ? '' : ` while ${what}`}`
  return new LadingError('timeout', message, { timeoutMs, while: what })
}

function begin(what: string, { deadline }: Context): () => void {
  if (deadline === undefined) return () => undefined
  const { underWay } = deadline
  const entry = { what }
  underWay.push(entry)
  return () => {
    const index = underWay.indexOf(entry)
    if (index >= 0) underWay.splice(index, 1)
  }
}
