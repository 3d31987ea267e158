import { type Context, followDuring, followWithinDeadline, type LadingEvent } from '../../core/index.ts'
import { defaultTimeoutMs, type RunOptions } from '../deploy-options.ts'
import type { ReleaseName } from '../release-name.ts'
import { tellOnce } from './tell-once.ts'

/** Does all of an operation within its time limit: also what it does before it has the lock. */
export function inTime<Result>(
  { name, namespace }: ReleaseName,
  { timeoutMs = defaultTimeoutMs }: Pick<RunOptions, 'timeoutMs'>,
  ctx: Context,
  work: (timed: Context) => AsyncGenerator<LadingEvent, Result>,
): AsyncGenerator<LadingEvent, Result> {
  const what = `planning release ${namespace}/${name}`
  return followWithinDeadline(timeoutMs, ctx, (timed) => followDuring(what, timed, tellOnce(work(timed))))
}
