import { type Context, isLadingError, type KubeObject, LadingError, type ObjectRef } from '../../core/index.ts'
import { type Cluster, createObject, deleteObject, getObject, listObjects } from '../../kube/index.ts'
import { isHome } from './home-namespace.ts'
import type { Plan } from '../plan.ts'

const usedLabel = 'lading.dev/used-plan'
const expiryAnnotation = 'lading.dev/plan-expires-at'

/** Clocks of machines differ: a mark is kept this much longer than its plan could be applied. */
const marginMs = 3_600_000

/** Refuses a plan whose time is over. */
export function refuseExpired({ release, expiresAt }: Plan, ctx: Context): void {
  if (expiresAt === undefined || ctx.clock.now() < Date.parse(expiresAt)) return
  const { name, namespace } = release
  const problem = `the plan for ${namespace}/${name} expired at ${expiresAt}`
  throw new LadingError('plan.expired', problem, { name, namespace, expiresAt })
}

/** Refuses a plan that was applied before, whatever has become of its release since. */
export async function refuseUsed(cluster: Cluster, plan: Plan, ctx: Context): Promise<void> {
  const ref = markRef(plan)
  const found = ref === undefined ? undefined : await getObject(cluster, ref, ctx)
  if (found !== undefined) throw usedBefore(plan, found)
}

/** Refuses, under the lock, a plan that was applied before or whose use may not be remembered; nothing is stored. */
export async function refuseUnmarkable(cluster: Cluster, plan: Plan, ctx: Context): Promise<void> {
  await createMark(cluster, plan, true, ctx)
}

/**
 * Remembers that a plan is being applied: a Lease in the namespace of the release, where the lock is too, or in `default` if the plan creates
 * that namespace, because it may go with the release. It is removed by a later plan once this one has expired.
 */
export async function markUsed(cluster: Cluster, plan: Plan, ctx: Context): Promise<void> {
  await createMark(cluster, plan, false, ctx)
  const namespace = markRef(plan)?.namespace
  if (namespace !== undefined) await removeExpired(cluster, namespace, ctx)
}

async function createMark(cluster: Cluster, plan: Plan, dryRun: boolean, ctx: Context): Promise<void> {
  const ref = markRef(plan)
  if (ref === undefined) return
  try {
    await createObject(cluster, markObject(plan, ref, ctx), { dryRun }, ctx)
  } catch (error) {
    if (isLadingError(error, 'kube.already-exists')) {
      await refuseUsed(cluster, plan, ctx)
    } else if (isLadingError(error, 'kube.forbidden')) {
      const problem = `that the plan is applied cannot be remembered in the namespace ${ref.namespace}: ${error.message}`
      throw new LadingError('kube.forbidden', problem, error.details, { cause: error })
    }
    throw error
  }
}

function markRef({ nonce, release, namespaceUid, actions }: Plan): ObjectRef | undefined {
  if (nonce === undefined) return undefined
  const createsHome =
    namespaceUid === null || actions.some(({ ref, liveVersion }) => isHome(ref, release) && liveVersion === null)
  const namespace = createsHome ? 'default' : release.namespace
  return { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', namespace, name: `lading-plan.${nonce}` }
}

function markObject({ release, operation, expiresAt = '' }: Plan, ref: ObjectRef, ctx: Context): KubeObject {
  const now = ctx.clock.now()
  const { name, namespace } = ref
  const seconds = Math.round((Date.parse(expiresAt) - now) / 1000)
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { 'app.kubernetes.io/managed-by': 'lading', [usedLabel]: 'true' },
      annotations: {
        [expiryAnnotation]: expiresAt,
        'lading.dev/used-by': `${operation} of ${release.namespace}/${release.name}`,
      },
    },
    spec: {
      acquireTime: new Date(now).toISOString().replace('Z', '000Z'),
      leaseDurationSeconds: Math.min(Math.max(1, seconds || 1), 2 ** 31 - 1),
    },
  }
}

/** Removes the marks of plans that nobody can apply any more. */
async function removeExpired(cluster: Cluster, namespace: string, ctx: Context): Promise<void> {
  const gvk = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' }
  try {
    const { items } = await listObjects(cluster, { gvk, namespace, labelSelector: `${usedLabel}=true` }, ctx)
    for (const { metadata } of items) {
      const { name, uid } = metadata
      const expiry = Date.parse(metadata.annotations?.[expiryAnnotation] ?? '')
      if (uid === undefined || !(expiry + marginMs < ctx.clock.now())) continue
      await deleteObject(cluster, { ...gvk, namespace, name }, { uid, wait: false }, ctx)
    }
  } catch (error) {
    if (!isLadingError(error) || ctx.signal.aborted) throw error
    ctx.log.warn('marks of expired plans could not be removed', { namespace, code: error.code })
  }
}

function usedBefore({ release: { name, namespace } }: Plan, mark: KubeObject): LadingError {
  const { creationTimestamp: at = 'an unknown time' } = mark.metadata
  const problem = `the plan for ${namespace}/${name} was applied before, at ${at}: a plan is applied once`
  return new LadingError('plan.used', problem, { name, namespace, at })
}
