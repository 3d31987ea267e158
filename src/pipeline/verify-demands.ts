import { type Context, stringifyJson } from '../core/index.ts'
import { type Descriptor, type Target, verifySignature } from '../oci/index.ts'

/** What whoever enqueued a job demands of the artifacts that it uses; it is stored with the job, so that every runner keeps to it. */
export interface Trust {
  /** Public keys, in PEM: one of them must have signed the artifact. */
  readonly verify_keys?: readonly string[] | undefined
  /** Public keys, in PEM: one of them must have signed the plan that is applied, or its approval. */
  readonly plan_keys?: readonly string[] | undefined
}

/** Holds an artifact to every demand: that of the job, and that of the runner, which no job can take back. */
export async function verifyDemands(
  target: Target,
  artifact: Descriptor,
  demands: readonly (Trust | undefined)[],
  ctx: Context,
): Promise<void> {
  const asked = new Set<string>()
  for (const { verify_keys: keys = [] } of demands.filter((each) => each !== undefined)) {
    const id = stringifyJson(keys)
    if (keys.length === 0 || asked.has(id)) continue
    asked.add(id)
    await verifySignature(target, artifact, keys, {}, ctx)
  }
}
