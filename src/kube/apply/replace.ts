import type { Context, KubeObject } from '../../core/index.ts'
import { formatRef, gvkOf, isRecord, LadingError } from '../../core/index.ts'
import { type ApplyTarget, causesOf, probeCreate, sendApply } from './apply-request.ts'
import { requestDeletion } from '../delete/delete-request.ts'
import { tellHoldup, watchTermination } from '../delete/watch-termination.ts'
import { getObject } from '../read/get.ts'
import { keepPolicy } from './ownership.ts'
import type { KubeResponse } from '../transport/transport.ts'

/**
 * Which objects may be deleted and created again. `true` is every kind but those whose deletion takes data or other
 * objects along (Namespace, PersistentVolumeClaim, PersistentVolume, CustomResourceDefinition) and objects with a `keep`
 * annotation; `allow` names further kinds (`PersistentVolumeClaim`, `Widget.example.com`), or `all`.
 */
export type ReplacePolicy = boolean | { readonly allow: 'all' | readonly string[] }

/** What replacing gave: no response in a dry-run. */
export interface Replacement {
  readonly live: KubeObject
  readonly response?: KubeResponse
}

const preciousKinds = new Set([
  'Namespace.',
  'PersistentVolumeClaim.',
  'PersistentVolume.',
  'CustomResourceDefinition.apiextensions.k8s.io',
])

/** How long the old object may take to go. */
const goneWithinMs = 5 * 60_000

/**
 * Replaces an object whose update was refused, provided that only the change was refused and that the policy allows it.
 * Otherwise throws kube.immutable when a field cannot change, or the refusal itself when the object is invalid anyway.
 */
export async function replaceOrRefuse(
  target: ApplyTarget,
  policy: ReplacePolicy,
  refusal: LadingError,
  ctx: Context,
): Promise<Replacement> {
  const live = await getObject(target.cluster, target.ref, ctx)
  const verdict =
    live === undefined ? 'creatable' : await probeCreate(target, withoutAllocated(target.desired, live), ctx)
  // ADR 0002: an object that could be created as it is, were its name free, was refused for the change alone.
  if (verdict instanceof LadingError) throw refusal
  if (verdict === 'creatable' || live === undefined) {
    throw new LadingError('kube.conflict', `${formatRef(target.ref)} was deleted meanwhile`, { ...target.ref })
  }
  const obstacle = obstacleTo(live, policy)
  if (obstacle !== undefined) throw immutable(target, refusal, obstacle)
  if (target.dryRun) return { live }
  await deleteAndWait(target, live, ctx)
  return { live, response: await createAgain(target, ctx) }
}

/**
 * What the live Service holds cannot be given out a second time, not even in a dry-run, so the probe leaves out the
 * addresses and ports that stay the same: the server would choose others.
 */
function withoutAllocated(desired: KubeObject, live: KubeObject): KubeObject {
  const { spec } = desired
  const held = live['spec']
  if (desired.kind !== 'Service' || gvkOf(desired).group !== '' || !isRecord(spec) || !isRecord(held)) return desired
  const heldPorts = Array.isArray(held['ports']) ? held['ports'].filter(isRecord).map((port) => port['nodePort']) : []
  const probe = { ...spec }
  if (spec['clusterIP'] !== 'None' && spec['clusterIP'] === held['clusterIP']) {
    delete probe['clusterIP']
    delete probe['clusterIPs']
  }
  if (spec['healthCheckNodePort'] === held['healthCheckNodePort']) delete probe['healthCheckNodePort']
  if (Array.isArray(spec['ports'])) {
    probe['ports'] = spec['ports'].map((port: unknown) => {
      if (!isRecord(port) || !heldPorts.includes(port['nodePort'])) return port
      const { nodePort: _, ...rest } = port
      return rest
    })
  }
  return { ...desired, spec: probe }
}

function obstacleTo(live: KubeObject, policy: ReplacePolicy): string | undefined {
  if (policy === false) return 'replacing it is not allowed'
  const allowed = policy === true ? [] : policy.allow
  if (allowed === 'all') return undefined
  const { group, kind } = gvkOf(live)
  if (allowed.includes(kind) || allowed.includes(`${kind}.${group}`)) return undefined
  if (preciousKinds.has(`${kind}.${group}`)) return `a ${kind} is replaced only when its kind is allowed by name`
  const keep = keepPolicy(live.metadata)
  return keep === undefined ? undefined : `its annotation ${keep} keeps it`
}

function immutable(target: ApplyTarget, refusal: LadingError, obstacle: string): LadingError {
  const causes = causesOf(refusal)
  const fields = [...new Set(causes.flatMap(({ field }) => (field === undefined ? [] : [field])))]
  const what = fields.length === 0 ? 'the change' : `a change of ${fields.join(', ')}`
  // What is forbidden is told without the values, and says more than a field such as `spec` does; a diff may follow it.
  const rules = causes.flatMap(({ reason, message = '' }) =>
    reason === 'FieldValueForbidden' ? [message.replace(/^Forbidden: /, '').split('\n', 1)[0] ?? ''] : [],
  )
  const why = rules.length === 0 ? '' : ` (${[...new Set(rules)].join('; ')})`
  const message = `${formatRef(target.ref)}: ${what} is refused for an existing object${why}, and ${obstacle}`
  return new LadingError('kube.immutable', message, { ...target.ref, fields, causes }, { cause: refusal })
}

/**
 * Kinds that are deleted in the foreground, so that their pods are gone before the new object starts its own. Elsewhere
 * nothing runs, and the garbage collector takes up to half a minute to learn of a new custom kind.
 */
const podOwners = new Set([
  'Deployment.apps',
  'StatefulSet.apps',
  'DaemonSet.apps',
  'ReplicaSet.apps',
  'Job.batch',
  'CronJob.batch',
  'ReplicationController.',
])

async function deleteAndWait(target: ApplyTarget, live: KubeObject, ctx: Context): Promise<void> {
  const { group, kind } = target.ref
  const propagation = podOwners.has(`${kind}.${group}`) ? 'Foreground' : 'Background'
  const { metadata } = live
  // Never the object that somebody else put in its place meanwhile.
  const rules = { keep: 'ignore', propagation, uid: metadata.uid } as const
  const deletion = await requestDeletion(target.cluster, target.ref, rules, metadata, ctx)
  if (deletion.outcome === 'skipped') throw new LadingError('kube.conflict', deletion.reason, { ...target.ref })
  const old = { ref: target.ref, uid: metadata.uid }
  const [holdup] = await watchTermination(target.cluster, [old], goneWithinMs, ctx)
  if (holdup === undefined) return
  const message = `${formatRef(target.ref)} was deleted to be replaced but still exists: ${tellHoldup(holdup)}`
  throw new LadingError('delete.timeout', message, { timeoutMs: goneWithinMs, waitingFor: [holdup] })
}

async function createAgain(target: ApplyTarget, ctx: Context): Promise<KubeResponse> {
  try {
    return await sendApply(target, {}, ctx)
  } catch (error) {
    if (!(error instanceof LadingError)) throw error
    const message = `${formatRef(target.ref)} was deleted to be replaced, but could not be created again: ${error.message}`
    throw new LadingError(error.code, message, { ...error.details, deleted: true }, { cause: error })
  }
}
