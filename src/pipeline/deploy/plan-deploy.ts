import { type Context, LadingError, type LadingEvent } from '../../core/index.ts'
import { formatReference, parseReference } from '../../oci/index.ts'
import {
  planHash,
  planInstall,
  type PlannedOptions,
  planRollback,
  planUninstall,
  planUpgrade,
  readHistory,
  type ReleaseEngine,
  type ReleaseHistory,
  renderContent,
  type SavedPlan,
  savePlan,
} from '../../release/index.ts'
import type { PipelineServices } from '../services.ts'
import { changesOf, formatChanges } from './change-report.ts'
import type { PlanOutputs } from './deploy-outputs.ts'
import { type DeployPlan, readingOf, releaseOf } from './deploy-plan.ts'
import { revisionFrom } from './revision-from.ts'
import { verifySource } from './verify-source.ts'

/** Plans what the artifact comes to against what is live. The artifact is named by digest from here on. */
export async function* planApply(
  plan: DeployPlan,
  engine: ReleaseEngine,
  services: PipelineServices,
  ctx: Context,
): AsyncGenerator<LadingEvent, PlanOutputs> {
  const release = releaseOf(plan)
  const options = optionsOf(plan)
  const lifetime = { lifetimeMs: plan.plan_lifetime_ms }
  const history = await readHistory(engine.store, release, ctx)
  if (plan.rollback_to !== undefined) {
    const { version, warning } = await revisionFrom(engine, release, plan.rollback_to, ctx)
    if (warning !== undefined) yield { type: 'warning', message: warning }
    const made = yield* planRollback(engine, release, version, options, ctx)
    const isThere = history.latest?.record.version === version && history.latest.record.state.status === 'deployed'
    const saved = await savePlan(engine, made, lifetime, ctx)
    return planOutputs(saved, history, isThere && changesNothing(made))
  }
  await requireDependencies(plan, engine, ctx)
  const source = await pinned(plan, services, ctx)
  await verifySource(source, plan, services, ctx)
  const reading = { ...readingOf(services, plan), cluster: engine.cluster }
  const content = await renderContent(engine.store, release, { source }, reading, ctx)
  const made =
    history.current === undefined
      ? yield* planInstall(engine, content, options, ctx)
      : yield* planUpgrade(engine, content, { ...options, install: true }, ctx)
  const saved = await savePlan(engine, made, lifetime, ctx)
  // A plan that makes no revision has nothing to do either.
  return planOutputs(saved, history, made.revision === made.previous)
}

/** Plans to remove everything that the component has. As long as the release is on record there is something to do. */
export async function* planTeardown(
  plan: DeployPlan,
  engine: ReleaseEngine,
  ctx: Context,
): AsyncGenerator<LadingEvent, PlanOutputs> {
  const release = releaseOf(plan)
  const history = await readHistory(engine.store, release, ctx)
  const made = yield* planUninstall(engine, release, {}, ctx)
  const saved = await savePlan(engine, made, { lifetimeMs: plan.plan_lifetime_ms }, ctx)
  return planOutputs(saved, history, false)
}

/** `unchanged` says that the release is good and as planned: only then may somebody leave it at that. */
function planOutputs(plan: SavedPlan, history: ReleaseHistory, unchanged: boolean): PlanOutputs {
  const changes = changesOf(plan)
  const note = unchanged || !changesNothing(plan) ? '' : `${reasonOf(plan, history)}\n`
  return { plan, plan_hash: planHash(plan), unchanged, changes, text: `${formatChanges(changes)}${note}` }
}

function changesNothing({ actions }: Pick<SavedPlan, 'actions'>): boolean {
  return actions.every(({ action }) => action === 'unchanged' || action === 'keep')
}

/** Why a plan that changes no object is to be applied nevertheless. */
function reasonOf({ operation, revision }: SavedPlan, { latest }: ReleaseHistory): string {
  if (latest === undefined) return `revision ${revision} is the first`
  const { version, state } = latest.record
  const isGood = state.status === 'deployed'
  const found = `revision ${version} is ${state.status}`
  if (operation === 'uninstall') return `${isGood ? '' : `${found}: `}the records of the release are removed`
  if (!isGood) return `${found}: revision ${revision} makes it good`
  return operation === 'rollback'
    ? `revision ${revision} records the way back`
    : `revision ${revision} records another artifact`
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
  const target = open({ registry, repository }, { access: plan.registry_access })
  try {
    const { digest } = await target.resolve(artifact.tag ?? 'latest', ctx)
    return formatReference({ registry, repository, digest })
  } finally {
    await target.close()
  }
}
