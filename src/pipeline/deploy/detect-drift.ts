import { type Context, defined, type LadingEvent, objectId } from '../../core/index.ts'
import { parseReference } from '../../oci/index.ts'
import {
  correctDrift,
  type CorrectOptions,
  drift,
  type DriftChange,
  isCorrectable,
  type ObjectDiff,
  readHistory,
  type ReleaseEngine,
  type ReleaseHistory,
} from '../../release/index.ts'
import type { PipelineServices } from '../services.ts'
import type { DriftedField, DriftOutputs } from './deploy-outputs.ts'
import type { DeployPlan } from './deploy-plan.ts'

/** Compares the cluster with what is deployed, and what is deployed with what the tag names now. Writes nothing but, where it is asked to, what was deployed. */
export async function* detectDrift(
  plan: DeployPlan,
  engine: ReleaseEngine,
  services: PipelineServices,
  held: () => Promise<void>,
  ctx: Context,
): AsyncGenerator<LadingEvent, DriftOutputs> {
  const release = { name: plan.component_name, namespace: plan.kubernetes_manifest.namespace }
  const options = correctOptions(plan)
  const report = await drift(engine, release, options, ctx)
  const history = await readHistory(engine.store, release, ctx)
  const artifact = await artifactState(plan, history, services, ctx)
  const objects = [
    ...report.objects.flatMap(driftOf),
    ...report.orphans.map((ref) => ({ id: objectId(ref), state: 'orphan' as const, changes: [], added: [] })),
  ]
  const drifted = objects.length > 0 || artifact.changed
  yield { type: 'progress', message: summaryOf(objects.length, artifact.changed) }
  const unlisted = report.unlisted.map(({ group, kind }) => (group === '' ? kind : `${kind}.${group}`))
  const found = {
    result: drifted ? 'drift-detected' : 'no-drift',
    artifact,
    objects,
    ...(unlisted.length === 0 ? {} : { unlisted }),
  } as const
  if (plan.correct_drift !== true || !isCorrectable(report, options)) return found
  await held()
  // What is deployed is applied again, over whoever changed it; another artifact still needs its approval.
  const { revision, remaining } = yield* correctDrift(engine, report, options, ctx)
  const left = remaining.drifted || artifact.changed
  return { ...found, corrected: true, left, ...(revision === undefined ? {} : { revision }) }
}

function correctOptions(plan: DeployPlan): CorrectOptions {
  const { ignore_managers: ignoreManagers, default_ignores: defaultIgnores, timeout_ms: timeoutMs } = plan
  const foreignFields = plan.remove_foreign_fields === true ? ('remove' as const) : undefined
  return defined({ foreignFields, ignoreManagers, defaultIgnores, timeoutMs })
}

function summaryOf(count: number, isChanged: boolean): string {
  const objects = count === 0 ? [] : [count === 1 ? '1 object drifted' : `${count} objects drifted`]
  const found = [...objects, ...(isChanged ? ['the tag names another artifact than the one that is deployed'] : [])]
  return found.length === 0 ? 'nothing drifted' : found.join(', ')
}

function driftOf({ ref, drift: found }: ObjectDiff): DriftOutputs['objects'] {
  if (found === undefined || found.state === 'none') return []
  // Paths and owners only: values may be secret.
  return [
    { id: objectId(ref), state: found.state, changes: found.changes.map(fieldOf), added: found.added.map(fieldOf) },
  ]
}

function fieldOf({ path, manager, time }: DriftChange): DriftedField {
  return { path, ...(manager === undefined ? {} : { manager }), ...(time === undefined ? {} : { time }) }
}

async function artifactState(
  plan: DeployPlan,
  { current }: ReleaseHistory,
  { open }: PipelineServices,
  ctx: Context,
): Promise<DriftOutputs['artifact']> {
  const deployed = current?.record.pack.digest
  const artifact = plan.kubernetes_manifest.oci_artifact
  const known = deployed === undefined ? {} : { deployed }
  if (artifact?.tag === undefined) {
    const changed = artifact?.digest !== undefined && artifact.digest !== deployed
    return { ...known, ...(artifact?.digest === undefined ? {} : { current: artifact.digest }), changed }
  }
  const target = open(parseReference(artifact.url), { access: plan.registry_access })
  try {
    const { digest } = await target.resolve(artifact.tag, ctx)
    return { ...known, current: digest, changed: digest !== deployed }
  } finally {
    await target.close()
  }
}
