import type { Context } from '../../core/index.ts'
import { parseReference } from '../../oci/index.ts'
import type { PipelineServices } from '../services.ts'
import { verifyDemands } from '../verify-demands.ts'
import type { DeployPlan } from './deploy-plan.ts'

/** Refuses an artifact that does not carry the signatures that the job and the runner ask for. */
export async function verifySource(
  source: string,
  plan: Pick<DeployPlan, 'trust' | 'registry_access'>,
  services: PipelineServices,
  ctx: Context,
): Promise<void> {
  const demands = [plan.trust, { verify_keys: services.verifyKeys }]
  if (demands.every((each) => (each?.verify_keys ?? []).length === 0)) return
  const reference = parseReference(source)
  const target = services.open(reference, { access: plan.registry_access })
  try {
    const found = await target.resolve(reference.digest ?? reference.tag ?? 'latest', ctx)
    await verifyDemands(target, found, demands, ctx)
  } finally {
    await target.close()
  }
}
