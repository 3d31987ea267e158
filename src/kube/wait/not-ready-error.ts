import { type Context, formatRef, type KubeObject, LadingError, type WaitedObject } from '../../core/index.ts'
import type { Cluster } from '../cluster.ts'
import { diagnose } from './diagnose.ts'
import type { TrackedObject } from './tracked-object.ts'

/** How much the error tells. */
export interface ReportOptions {
  readonly diagnose: boolean
  readonly logTailLines: number
  readonly waitedMs: number
  readonly mask: (text: string) => string
}

/** So many objects are explained; the others are only named. */
const maxDiagnosed = 5
const diagnosisMs = 10_000

/** The error for objects that are not ready, the failed ones first, with what explains them. */
export async function notReadyError(
  cluster: Cluster,
  code: 'wait.failed' | 'wait.timeout',
  objects: readonly TrackedObject[],
  causes: ReadonlyMap<TrackedObject, readonly KubeObject[]>,
  options: ReportOptions,
  ctx: Context,
): Promise<LadingError> {
  const failed = objects.filter(({ status }) => status.status === 'Failed')
  const unready = objects.filter(({ status }) => status.status !== 'Failed' && status.status !== 'Current')
  const reported = [...failed, ...unready]
  // With a failure at hand, what is still in progress needs no explanation.
  const explained = (failed.length > 0 ? failed : unready).slice(0, maxDiagnosed)
  const diagnosed = options.diagnose ? await diagnoseAll(cluster, explained, causes, options, ctx) : []
  const waited = reported.map((tracked, index) => diagnosed[index] ?? waitedObject(tracked, options.mask))
  return new LadingError(code, options.mask(tellOf(code, reported, options.waitedMs)), {
    objects: waited,
    waitedMs: options.waitedMs,
  })
}

/** A tracked object as the caller sees it. */
export function waitedObject({ ref, status }: TrackedObject, mask: ReportOptions['mask']): WaitedObject {
  const { status: name, message, reason } = status
  return { ref, status: name, message: mask(message), reason }
}

async function diagnoseAll(
  cluster: Cluster,
  objects: readonly TrackedObject[],
  causes: ReadonlyMap<TrackedObject, readonly KubeObject[]>,
  { logTailLines, mask }: ReportOptions,
  ctx: Context,
): Promise<WaitedObject[]> {
  const limit = new AbortController()
  const done = new AbortController()
  const inner: Context = { ...ctx, signal: AbortSignal.any([ctx.signal, limit.signal]) }
  const timer = ctx.clock.sleep(diagnosisMs, done.signal).then(
    () => limit.abort(),
    () => undefined,
  )
  const waited = await Promise.all(
    objects.map(async (tracked) => {
      const { last } = tracked
      if (last === undefined) return waitedObject(tracked, mask)
      const pods = causes.get(tracked) ?? []
      return { ...waitedObject(tracked, mask), ...(await diagnose(cluster, last, { logTailLines, pods, mask }, inner)) }
    }),
  )
  done.abort()
  await timer
  return waited
}

function tellOf(code: 'wait.failed' | 'wait.timeout', objects: readonly TrackedObject[], waitedMs: number): string {
  const first = objects[0]
  if (first === undefined) return 'nothing was ready in time'
  const more = objects.length > 1 ? ` (and ${objects.length - 1} more not ready)` : ''
  const name = formatRef(first.ref)
  if (code === 'wait.failed') return `${name} failed: ${first.status.message}${more}`
  const seconds = Math.round(waitedMs / 1000)
  return `${name} is not ready after ${seconds} s: ${first.status.message}${more}`
}
