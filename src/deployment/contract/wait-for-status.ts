import type { DeploymentStatus, DeploymentStatusDetail } from '../deployment.ts'
import type { AdapterCase } from './adapter-contract.ts'

const limitMs = 120_000

/** Waits until a deployment has a status; fails with what it has instead after two minutes. */
export async function waitForStatus(
  { adapter, ctx }: AdapterCase,
  id: string,
  wanted: DeploymentStatus,
): Promise<DeploymentStatusDetail> {
  const end = ctx.clock.now() + limitMs
  for (;;) {
    const found = await adapter.status(id, ctx)
    if (found.status === wanted) return found
    if (ctx.clock.now() > end) throw new Error(`${id} is ${found.status} instead of ${wanted}: ${found.message}`)
    await ctx.clock.sleep(20, ctx.signal)
  }
}
