import { type Context, isRecord, type KubeObject, type ObjectRef } from '../../core/index.ts'
import { type Cluster, getObject } from '../../kube/index.ts'

/** How a release is locked. */
export interface LockOptions {
  readonly name: string
  readonly namespace: string
  /** What the holder does, for whoever finds the lock taken. */
  readonly operation: string
  /** How long a lock holds without being renewed, a minute at most (default: 10 s). */
  readonly durationMs?: number
  /** Who holds it (default: this process). */
  readonly holder?: string
}

/** How long a lock holds by default. */
export const defaultDurationMs = 10_000

/**
 * The longest that a lock holds without being renewed. The duration in a Lease is another's word: whoever does not renew for longer than
 * this has lost it, whatever it says (ADR 22).
 */
export const maxDurationMs = 60_000

/** How long one's own lock holds. */
export function durationOf({ durationMs = defaultDurationMs }: Pick<LockOptions, 'durationMs'>): number {
  return Math.min(durationMs, maxDurationMs)
}

/** The Lease of a release. */
export function leaseRef(name: string, namespace: string): ObjectRef {
  return { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', namespace, name: `lading.${name}` }
}

/** A Lease as its holder writes it, over the one that was found. */
export function leaseObject(
  ref: ObjectRef,
  found: KubeObject | undefined,
  options: LockOptions,
  holder: string,
  ctx: Context,
): KubeObject {
  const { name, operation } = options
  const now = timeOf(ctx)
  const transitions = Number(leaseSpec(found)['leaseTransitions'] ?? 0) + (found === undefined ? 0 : 1)
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name: ref.name,
      ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }),
      ...(found?.metadata.resourceVersion === undefined ? {} : { resourceVersion: found.metadata.resourceVersion }),
      labels: { 'app.kubernetes.io/managed-by': 'lading' },
      annotations: { 'lading.dev/release-name': name, 'lading.dev/operation': operation },
    },
    spec: {
      holderIdentity: holder,
      // Rounded up: whoever takes over must not do so before the holder itself counts its lock as lost.
      leaseDurationSeconds: Math.max(1, Math.ceil(durationOf(options) / 1000)),
      acquireTime: now,
      renewTime: now,
      leaseTransitions: transitions,
    },
  }
}

/** The Lease with the time of now, bound to the version that is renewed. */
export function renewedLease(lease: KubeObject, ctx: Context): KubeObject {
  return { ...lease, spec: { ...leaseSpec(lease), renewTime: timeOf(ctx) } }
}

/** Who holds a Lease, and for how long from when. */
export function readLease(lease: KubeObject): { holder: string; durationMs: number; renewTime: number } {
  const spec = leaseSpec(lease)
  return {
    holder: textOf(spec['holderIdentity']),
    durationMs: believedMs(Number(spec['leaseDurationSeconds'])),
    renewTime: Date.parse(textOf(spec['renewTime'])) || 0,
  }
}

/** The Lease if it is still the holder's: a renewal whose answer got lost is sent again and meets itself as a conflict. */
export async function ownLease(
  cluster: Cluster,
  { name, namespace }: LockOptions,
  holder: string,
  ctx: Context,
): Promise<KubeObject | undefined> {
  const found = await getObject(cluster, leaseRef(name, namespace), ctx)
  return found !== undefined && readLease(found).holder === holder ? found : undefined
}

function believedMs(seconds: number): number {
  return seconds > 0 ? Math.min(seconds * 1000, maxDurationMs) : defaultDurationMs
}

function leaseSpec(lease: KubeObject | undefined): Record<string, unknown> {
  const spec = lease?.['spec']
  return isRecord(spec) ? spec : {}
}

function timeOf(ctx: Context): string {
  return new Date(ctx.clock.now()).toISOString().replace('Z', '000Z')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
