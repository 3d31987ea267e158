import type { ObjectStatus } from '../../schema/index.ts'

/**
 * Failures that may heal by themselves, with how long each is given unless the caller says otherwise. Everything that is not listed is
 * final: an image name that cannot be parsed, a failed Job, a Pod that ended, an object that reports `Stalled`.
 */
const graces: ReadonlyMap<string, number> = new Map([
  // A Secret or ConfigMap that External Secrets, cert-manager or an operator still has to write: mostly done within a minute.
  ['CreateContainerConfigError', 60_000],
  // A registry's hiccup, or a pull secret that comes later: the kubelet tries again after 10 s and after 20 s more.
  ['ErrImagePull', 30_000],
  ['ImagePullBackOff', 30_000],
  ['ImageInspectError', 30_000],
  ['CreateContainerError', 10_000],
  ['RunContainerError', 10_000],
  // The deadline that a Deployment passed before it was changed, which its controller takes off only after its next look.
  ['ProgressDeadlineExceeded', 10_000],
  // The kubelet says so only after it has started the container again in vain.
  ['CrashLoopBackOff', 0],
])

/** How long a failure may last before it counts, in milliseconds; undefined for one that is final. */
export function graceOf({ status, reason = '' }: ObjectStatus, failGraceMs: number | undefined): number | undefined {
  if (status !== 'Failed' || !graces.has(reason)) return undefined
  return failGraceMs ?? graces.get(reason)
}

/** A failure within its grace, as it is told meanwhile. */
export function heldStatus(failure: ObjectStatus, leftMs: number): ObjectStatus {
  const message = `${failure.message} (fails in ${Math.ceil(leftMs / 1000)} s unless this heals)`
  return { ...failure, status: 'InProgress', message }
}
