import { type Context, gvkOf, type LadingEvent, objectId, type ObjectRef, refOf } from '../../core/index.ts'
import { listObjects } from '../../kube/index.ts'
import { parseReference } from '../../oci/index.ts'
import {
  drift,
  type ObjectDiff,
  readHistory,
  type ReleaseEngine,
  type ReleaseHistory,
  rollback,
} from '../../release/index.ts'
import type { PipelineServices } from '../services.ts'
import type { DeployPlan } from './deploy-plan.ts'

/** What a look for drift found. */
export interface DriftOutputs {
  readonly result: 'no-drift' | 'drift-detected'
  /** The artifact that is deployed, and the one that its tag names now. */
  readonly artifact: { readonly deployed?: string; readonly current?: string; readonly changed: boolean }
  readonly objects: readonly {
    readonly id: string
    readonly state: 'modified' | 'missing' | 'orphan'
    readonly changes: readonly { readonly path: string; readonly manager?: string }[]
  }[]
  /** Whether the deployed revision was applied again, and as which one. */
  readonly corrected?: boolean
  readonly revision?: number
  readonly [key: string]: unknown
}

/** Compares the cluster with what is deployed, and what is deployed with what the tag names now. Writes nothing but, where it is asked to, what was deployed. */
export async function* detectDrift(
  plan: DeployPlan,
  engine: ReleaseEngine,
  services: PipelineServices,
  held: () => Promise<void>,
  ctx: Context,
): AsyncGenerator<LadingEvent, DriftOutputs> {
  const release = { name: plan.component_name, namespace: plan.kubernetes_manifest.namespace }
  const report = await drift(engine, release, ctx)
  const history = await readHistory(engine.store, release, ctx)
  const orphans = await findOrphans(engine, history, ctx)
  const artifact = await artifactState(plan, history, services, ctx)
  const objects = [
    ...report.objects.flatMap(driftOf),
    ...orphans.map((ref) => ({ id: objectId(ref), state: 'orphan' as const, changes: [] })),
  ]
  const drifted = objects.length > 0 || artifact.changed
  yield { type: 'progress', message: summaryOf(objects.length, artifact.changed) }
  const found = { result: drifted ? 'drift-detected' : 'no-drift', artifact, objects } as const
  const isWrong = objects.some(({ state }) => state !== 'orphan')
  if (plan.correct_drift !== true || !isWrong || history.current === undefined) return found
  await held()
  const { version } = history.current.record
  // What is deployed is applied again, over whoever changed it; another artifact still needs its approval.
  const options = { conflicts: 'force', description: `Correct drift of revision ${version}` } as const
  const { record } = yield* rollback(engine, release, version, options, ctx)
  return { ...found, corrected: true, ...(record === undefined ? {} : { revision: record.version }) }
}

function summaryOf(count: number, isChanged: boolean): string {
  const objects = count === 0 ? [] : [count === 1 ? '1 object drifted' : `${count} objects drifted`]
  const found = [...objects, ...(isChanged ? ['the tag names another artifact than the one that is deployed'] : [])]
  return found.length === 0 ? 'nothing drifted' : found.join(', ')
}

function driftOf({ ref, drift: found }: ObjectDiff): DriftOutputs['objects'] {
  if (found === undefined || found.state === 'none') return []
  // Paths and owners only: values may be secret.
  const changes = found.changes.map(({ path, manager }) => ({ path, ...(manager === undefined ? {} : { manager }) }))
  return [{ id: objectId(ref), state: found.state, changes }]
}

/** Objects that carry the release's mark and that no revision since the last good one knows, of the kinds that it ever had. */
async function findOrphans(
  engine: ReleaseEngine,
  { inventory, latest }: ReleaseHistory,
  ctx: Context,
): Promise<ObjectRef[]> {
  if (latest === undefined) return []
  const { name, namespace } = latest.record
  const known = new Set(inventory.map(({ ref }) => objectId(ref)))
  const places = new Map(inventory.map(({ ref }) => [`${ref.group}/${ref.kind}/${ref.namespace ?? ''}`, ref]))
  const orphans: ObjectRef[] = []
  for (const { group, version, kind, namespace: where } of places.values()) {
    const query = {
      gvk: { group, version, kind },
      metadataOnly: true,
      ...(where === undefined ? {} : { namespace: where }),
    }
    const { items } = await listObjects(engine.cluster, query, ctx)
    for (const item of items) {
      const { annotations = {}, ownerReferences = [] } = item.metadata
      const isOurs =
        annotations['lading.dev/release-name'] === name && annotations['lading.dev/release-namespace'] === namespace
      const ref = { ...refOf({ ...item, apiVersion: item.apiVersion, kind }), ...gvkOf(item) }
      // What a controller made copies the annotations of its owner.
      if (isOurs && ownerReferences.length === 0 && !known.has(objectId(ref))) orphans.push(ref)
    }
  }
  return orphans
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
  const target = open(parseReference(artifact.url))
  try {
    const { digest } = await target.resolve(artifact.tag, ctx)
    return { ...known, current: digest, changed: digest !== deployed }
  } finally {
    await target.close()
  }
}
