import { type Context, defined, LadingError, type LadingEvent } from '../../core/index.ts'
import { formatReference, parseReference } from '../../oci/index.ts'
import {
  applyPlan,
  historyOf,
  install,
  planUninstall,
  type PlannedOptions,
  readHistory,
  recover,
  refusePlan,
  type ReleaseEngine,
  type ReleaseRecord,
  renderContent,
  rollback,
  refuseOtherCluster,
  type SavedPlan,
  toSavedPlan,
  upgrade,
} from '../../release/index.ts'
import type { Job } from '../jobs/job.ts'
import type { JobHandler, JobWork } from '../jobs/run-job.ts'
import type { PipelineServices } from '../services.ts'
import { changesOf, formatChanges } from './change-report.ts'
import { type DeployPlan, planHash, requireApproval } from './deploy-plan.ts'
import { detectDrift } from './detect-drift.ts'

/** The label that a revision carries, so that a plan is known to be begun. */
const planLabel = 'pipeline.lading.dev/plan'

type Connection = ReleaseEngine & { close?(): Promise<void> }

/** Plans, applies and tears down what an artifact holds, and looks for drift. */
export function deployHandler(services: PipelineServices): JobHandler {
  return (job, held) => {
    const plan = job.plan as unknown as DeployPlan
    let connection: Connection | undefined
    let outputs: Record<string, unknown> = {}
    const connected: JobWork = {
      initialize: async () => {
        if (services.engine === undefined) throw new LadingError('job.unsupported', 'this runner has no cluster')
        connection = await services.engine()
      },
      outputs: () => Promise.resolve(outputs),
      cleanup: async () => {
        await connection?.close?.()
      },
    }
    return {
      ...connected,
      ...(job.operation === 'apply-plan'
        ? {
            validate: async () => {
              const contents = contentsOf(plan)
              requireApproval(contents, plan.approval)
              // No approval makes possible what the plan itself says cannot be done.
              refusePlan(contents)
            },
          }
        : {}),
      execute: async function* (ctx) {
        outputs = yield* work(job, plan, connection!, services, held, ctx)
      },
    }
  }
}

async function* work(
  job: Job,
  plan: DeployPlan,
  engine: Connection,
  services: PipelineServices,
  held: () => Promise<void>,
  ctx: Context,
): AsyncGenerator<LadingEvent, Record<string, unknown>> {
  switch (job.operation) {
    case 'create-apply-plan':
      return planOutputs(yield* planApply(plan, engine, services, ctx))
    case 'create-teardown-plan':
      return planOutputs(yield* planTeardown(plan, engine, ctx))
    case 'apply-plan':
      return yield* applyOnce(plan, engine, services, held, ctx)
    case 'detect-drift':
      return yield* detectDrift(plan, engine, services, held, ctx)
    default:
      throw new LadingError('job.unsupported', `a deploy has no operation ${job.operation}`, { type: job.type })
  }
}

/** Plans what the artifact comes to against what is live. The artifact is named by digest from here on. */
export async function* planApply(
  plan: DeployPlan,
  engine: ReleaseEngine,
  services: PipelineServices,
  ctx: Context,
): AsyncGenerator<LadingEvent, SavedPlan> {
  const release = releaseOf(plan)
  const options = optionsOf(plan)
  if (plan.rollback_to !== undefined) {
    const revision = await revisionWith(engine, release, plan.rollback_to, ctx)
    const { plan: made } = yield* rollback(engine, release, revision, { ...options, dryRun: true }, ctx)
    return await toSavedPlan(engine, made, { options }, ctx)
  }
  await requireDependencies(plan, engine, ctx)
  const source = await pinned(plan, services, ctx)
  const reading = { ...readingOf(services), cluster: engine.cluster }
  const content = await renderContent(engine.store, release, { source }, reading, ctx)
  const { current } = await readHistory(engine.store, release, ctx)
  const events =
    current === undefined
      ? install(engine, content, { ...options, dryRun: true }, ctx)
      : upgrade(engine, content, { ...options, install: true, dryRun: true }, ctx)
  const { plan: made } = yield* events
  return await toSavedPlan(engine, made, { content: { source, ...content.renderedWith }, options }, ctx)
}

async function* planTeardown(
  plan: DeployPlan,
  engine: ReleaseEngine,
  ctx: Context,
): AsyncGenerator<LadingEvent, SavedPlan> {
  return await toSavedPlan(engine, yield* planUninstall(engine, releaseOf(plan), {}, ctx), { options: {} }, ctx)
}

/**
 * Carries out an approved plan, once: a revision carries the plan that made it, so a job that another runner had begun is
 * recognised. What was finished is reported; what was not is healed and refused, never done a second time.
 */
async function* applyOnce(
  plan: DeployPlan,
  engine: ReleaseEngine,
  services: PipelineServices,
  held: () => Promise<void>,
  ctx: Context,
): AsyncGenerator<LadingEvent, Record<string, unknown>> {
  const saved = contentsOf(plan)
  const { release } = saved
  // Before the history of a release of the same name elsewhere is taken for this one's.
  await refuseOtherCluster(engine.cluster, saved, ctx)
  const mark = planHash(saved).slice('sha256:'.length, 'sha256:'.length + 40)
  const { latest } = await readHistory(engine.store, release, ctx)
  // Labels go on to the next revision: only the one that the plan was to make was made by it.
  const isBegun = latest?.record.labels[planLabel] === mark && latest.record.version === saved.revision
  if (isBegun) return yield* begunAlready(engine, latest.record, ctx)
  // A teardown takes its record along: what is not there any more was torn down.
  if (saved.operation === 'uninstall' && latest === undefined) return { outcome: 'uninstalled', resumed: true }
  const labels = { ...saved.inputs.options.labels, [planLabel]: mark }
  const marked = { ...saved, inputs: { ...saved.inputs, options: { ...saved.inputs.options, labels } } }
  const { wait = true, wait_for_jobs: waitForJobs, timeout_ms: timeoutMs, stabilization_ms: stabilizationMs } = plan
  // The last moment at which a runner that was taken for dead can find out.
  await held()
  const { outcome, record } = yield* applyPlan(
    engine,
    marked,
    {
      wait,
      ...defined({ timeoutMs, stabilizationMs, waitForJobs }),
    },
    readingOf(services),
    ctx,
  )
  return { outcome, ...(record === undefined ? {} : recordOutputs(record)) }
}

async function* begunAlready(
  engine: ReleaseEngine,
  record: ReleaseRecord,
  ctx: Context,
): AsyncGenerator<LadingEvent, Record<string, unknown>> {
  const { name, namespace, version, state } = record
  if (state.status === 'deployed') return { outcome: 'deployed', resumed: true, ...recordOutputs(record) }
  yield* recover(engine, { name, namespace }, ctx)
  const problem = `revision ${version} of ${namespace}/${name} was begun by this plan and did not become good: make a new plan`
  throw new LadingError('plan.stale', problem, { name, namespace, revision: version })
}

function planOutputs(plan: SavedPlan): Record<string, unknown> {
  const changes = changesOf(plan)
  const unchanged = changes.every(({ op }) => op === 'none')
  return { plan, plan_hash: planHash(plan), unchanged, changes, text: formatChanges(changes) }
}

function recordOutputs({ version, pack, inventory }: ReleaseRecord): Record<string, unknown> {
  return { revision: version, objects: inventory.length, ...(pack.digest === undefined ? {} : { digest: pack.digest }) }
}

function contentsOf({ apply_plan_contents: contents, component_name: name }: DeployPlan): SavedPlan {
  if (contents !== undefined) return contents
  throw new LadingError('plan.invalid', `the deploy of ${name} has no plan to apply`, { name })
}

function releaseOf({ component_name: name, kubernetes_manifest: { namespace } }: DeployPlan) {
  return { name, namespace }
}

function optionsOf(plan: DeployPlan): PlannedOptions {
  const { create_namespace: createNamespace, force_conflicts: force, take_ownership: takeOwnership, replace } = plan
  return {
    ...(takeOwnership === true ? { takeOwnership: true } : {}),
    ...(replace === true ? { replace: true } : {}),
    ...(createNamespace === true ? { createNamespace: true } : {}),
    ...(force === true ? { conflicts: 'force' } : {}),
  }
}

function readingOf({ open, identities, verifyKeys }: PipelineServices) {
  return {
    artifacts: {
      open,
      ...defined({ identities, verifyKeys }),
    },
  }
}

async function requireDependencies(plan: DeployPlan, engine: ReleaseEngine, ctx: Context): Promise<void> {
  for (const dependency of plan.dependencies ?? []) {
    const [name = '', namespace = plan.kubernetes_manifest.namespace] = dependency.split('/').reverse()
    const { latest } = await readHistory(engine.store, { name, namespace }, ctx)
    if (latest?.record.state.status === 'deployed') continue
    const state = latest === undefined ? 'not deployed' : latest.record.state.status
    const problem = `${plan.component_name} depends on ${namespace}/${name}, which is ${state}: deploy that first`
    throw new LadingError('release.not-found', problem, { name, namespace })
  }
}

/** The artifact by digest: a tag is asked for what it names now. */
async function pinned(plan: DeployPlan, { open }: PipelineServices, ctx: Context): Promise<string> {
  const artifact = plan.kubernetes_manifest.oci_artifact
  if (artifact === undefined) {
    throw new LadingError('config.invalid', `the deploy of ${plan.component_name} names no artifact`)
  }
  const { registry, repository } = parseReference(artifact.url)
  if (artifact.digest !== undefined) return formatReference({ registry, repository, digest: artifact.digest })
  const target = open({ registry, repository })
  try {
    const { digest } = await target.resolve(artifact.tag ?? 'latest', ctx)
    return formatReference({ registry, repository, digest })
  } finally {
    await target.close()
  }
}

async function revisionWith(
  engine: ReleaseEngine,
  release: { name: string; namespace: string },
  digest: string,
  ctx: Context,
): Promise<number> {
  for (const { version } of [...(await historyOf(engine.store, release, ctx))].reverse()) {
    const stored = await engine.store.get({ ...release, version }, ctx)
    if (stored?.record.pack.digest === digest && stored.record.state.status === 'superseded') return version
  }
  const problem = `no revision of ${release.namespace}/${release.name} that was good came from ${digest}`
  throw new LadingError('release.no-target', problem, { ...release, digest })
}
