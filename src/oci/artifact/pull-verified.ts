import type { Context } from '../../core/index.ts'
import { verifySignature } from '../signature/verify-signature.ts'
import type { Target } from '../target.ts'
import { pullArtifact, type PullArtifactOptions, type PulledArtifact } from './pull-artifact.ts'

/** Whom an artifact has to be signed by, and how it is read. */
export interface PullVerifiedOptions extends Omit<PullArtifactOptions, 'expectDigest'> {
  /** Public keys, in PEM: an artifact that none of them signed is refused (default: no signature is needed). */
  readonly verifyKeys?: readonly string[]
}

/**
 * Pulls an artifact after its signature was verified. A tag is resolved once: the digest that was signed is the digest that is
 * pulled.
 */
export async function pullVerified(
  target: Target,
  name: string,
  { verifyKeys = [], ...options }: PullVerifiedOptions,
  ctx: Context,
): Promise<PulledArtifact> {
  const found = await target.resolve(name, ctx)
  if (verifyKeys.length > 0) await verifySignature(target, found, verifyKeys, {}, ctx)
  return pullArtifact(target, found.digest, { ...options, expectDigest: found.digest }, ctx)
}
