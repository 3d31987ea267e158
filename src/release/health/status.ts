import { type Context, defined, type KubeObject, objectId, type ObjectRef, refOf } from '../../core/index.ts'
import { readObjects } from '../../core/yaml/index.ts'
import {
  type Cluster,
  compileRules,
  isWorkload,
  listObjects,
  readLiveIndex,
  type ReadinessRule,
  type RuleStatus,
  selectorOf,
  statusReader,
} from '../../kube/index.ts'
import {
  containerProblems,
  defaultStatusGraceMs,
  describeProblem,
  isAlwaysReadyKind,
  silenceOf,
} from '../../schema/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { ReleaseName } from '../release-name.ts'
import { findOrphans } from '../diff/find-orphans.ts'
import { type CheckSummary, declaredChecks, runChecks, withCheck } from './declared-checks.ts'
import type { ProbeResult } from './probe.ts'
import { healthOf, healthOfSet, type HealthStatus, type ObjectHealth } from './health-status.ts'
import type { HealthUrls } from './url-access.ts'
import { noSuchRelease, readHistory } from '../record/history.ts'
import type { HookPhase, HookRun, ReleaseRecord } from '../record/record.ts'
import { recordMask } from '../record/secret-mask.ts'
import { goesByItself, mayHaveRun, spentReason, unseenEndReason } from '../record/expired-job.ts'

/** A hook with how it last ended. */
export interface HookStatus {
  readonly ref: ObjectRef
  readonly phases: readonly HookPhase[]
  readonly lastRun?: HookRun
}

/** How a release stands: what is on record, and what is live. */
export interface StatusReport {
  readonly record: ReleaseRecord
  readonly health: HealthStatus
  /** Whether `health` includes the checks that objects declare. */
  readonly checks: CheckSummary
  readonly hooks: readonly HookStatus[]
  readonly notes?: string
  /** Objects that carry the release's marks and stand in no revision; not looked for where the caller does not want to know. */
  readonly orphans: readonly ObjectRef[]
}

/** How objects are looked at. */
export interface StatusLookOptions {
  readonly rules?: readonly ReadinessRule[]
  /** How long the first status of a custom resource is waited for (default: 10 s). */
  readonly statusGraceMs?: number
  /** Run the http, url and command checks that objects declare; without it only readiness is looked at. */
  readonly checks?: boolean
  /** Look for objects that carry the release's marks and stand in no revision (default: true). */
  readonly orphans?: boolean
  /** Which addresses url checks may ask (default: none). */
  readonly healthUrls?: HealthUrls
}

/** Reads the latest revision of a release and looks how its objects are doing now. */
export async function status(
  engine: ReleaseEngine,
  release: ReleaseName,
  options: StatusLookOptions,
  ctx: Context,
): Promise<StatusReport> {
  const history = await readHistory(engine.store, release, ctx)
  const { latest, inventory } = history
  if (latest === undefined) throw noSuchRelease(release)
  const around = options.orphans === false ? undefined : await findOrphans(engine, release, history, ctx)
  const { record } = latest
  const judge = compileRules(options.rules ?? [])
  const objects = await lookAt(
    engine.cluster,
    inventory.map(({ ref }) => ref),
    { judge, mayBeGone: briefJobs(record), ...defined({ statusGraceMs: options.statusGraceMs }) },
    ctx,
  )
  const declared = declaredChecks(record)
  const mask = recordMask(record)
  const results =
    options.checks === true ? await runChecks(engine.cluster, declared, options.healthUrls, ctx) : undefined
  return {
    record,
    health: healthOfSet(
      objects
        .map((health) => withCheck(health, results?.get(objectId(health.ref))))
        .map((health) => ({ ...health, message: mask(health.message) })),
    ),
    checks: summaryOf(declared.length, results),
    hooks: record.hooks.map(({ object, phases, lastRun }) => ({
      ref: refOf(object),
      phases,
      ...(lastRun === undefined ? {} : { lastRun }),
    })),
    ...(record.notes === undefined ? {} : { notes: record.notes }),
    orphans: around?.orphans ?? [],
  }
}

function summaryOf(declared: number, results: ReadonlyMap<string, ProbeResult> | undefined): CheckSummary {
  if (results === undefined) return { declared, run: false }
  const passed = [...results.values()].filter((result) => result.passed).length
  return { declared, run: true, passed, failed: results.size - passed }
}

/** The Jobs that their time to live removes, and whether each may have completed: then it has done what it was there for. */
function briefJobs({ manifest, inventory, namespace }: ReleaseRecord): ReadonlyMap<string, boolean> {
  if (!inventory.some(({ ref }) => ref.kind === 'Job')) return new Map()
  const ran = new Map(inventory.map((entry) => [objectId(entry.ref), mayHaveRun(entry)]))
  return new Map(
    readObjects(manifest)
      .filter(goesByItself)
      .map((job) => objectId({ namespace, ...refOf(job) }))
      .map((id) => [id, ran.get(id) ?? false]),
  )
}

/** The health of objects as they are now, in the order given. */
export function liveHealth(
  cluster: Cluster,
  refs: readonly ObjectRef[],
  judge: RuleStatus,
  ctx: Context,
): Promise<ObjectHealth[]> {
  return lookAt(cluster, refs, { judge, mayBeGone: new Map() }, ctx)
}

async function lookAt(
  cluster: Cluster,
  refs: readonly ObjectRef[],
  look: {
    readonly judge: RuleStatus
    readonly mayBeGone: ReadonlyMap<string, boolean>
    readonly statusGraceMs?: number
  },
  ctx: Context,
): Promise<ObjectHealth[]> {
  const { judge, mayBeGone, statusGraceMs = defaultStatusGraceMs } = look
  const read = statusReader(cluster, statusGraceMs, ctx)
  // Of kinds that nobody reconciles it is enough to know that they are there.
  const [settled = [], others = []] = [true, false].map((wanted) =>
    refs.filter((ref) => isAlwaysReadyKind(ref) === wanted),
  )
  const [names, live] = await Promise.all([
    readLiveIndex(cluster, settled, 'metadata', ctx),
    readLiveIndex(cluster, others, 'object', ctx),
  ])
  return await Promise.all(
    refs.map(async (ref): Promise<ObjectHealth> => {
      const id = objectId(ref)
      const object = names.get(id) ?? live.get(id)
      if (object === undefined && !names.has(id) && !live.has(id)) {
        return { ref, state: 'progressing', message: 'may not be read, so its health is not known' }
      }
      if (object === undefined || object === null) {
        const hasRun = mayBeGone.get(id)
        if (hasRun === true) return { ref, state: 'healthy', message: spentReason }
        return { ref, state: 'degraded', message: hasRun === undefined ? 'does not exist' : unseenEndReason }
      }
      const status = judge(object) ?? (await read(object, silenceOf(object, ctx.clock.now())))
      const health = { ...healthOf(object, status), ref }
      return health.state === 'healthy' || !isWorkload(ref) ? health : await blamePods(cluster, object, health, ctx)
    }),
  )
}

/** A workload tells late, or never, that its pods do not come up; the pods tell at once. */
async function blamePods(
  cluster: Cluster,
  workload: KubeObject,
  health: ObjectHealth,
  ctx: Context,
): Promise<ObjectHealth> {
  const labelSelector = selectorOf(workload)
  const { namespace } = workload.metadata
  if (labelSelector === undefined || namespace === undefined) return health
  const gvk = { group: '', version: 'v1', kind: 'Pod' }
  const { items } = await listObjects(cluster, { gvk, namespace, labelSelector }, ctx)
  for (const pod of items) {
    const [problem] = pod.metadata.deletionTimestamp === undefined ? containerProblems(pod) : []
    if (problem === undefined) continue
    const state = (health.ready ?? 0) > 0 ? 'degraded' : 'failed'
    return { ...health, state, message: `pod ${pod.metadata.name}: ${describeProblem(problem)}` }
  }
  return health
}
