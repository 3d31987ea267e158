import type { Context, KubeObject } from '../core/index.ts'
import { type CallerAccess, noSuchDeployment } from '../deployment/index.ts'
import { readId } from './deployment-id.ts'
import type { FluxCache } from './flux-cache.ts'

/** The live object that an id names, if the caller may read it; a bare name must be the name of one object only. */
export async function findDeployment(
  cache: FluxCache,
  id: string,
  home: string,
  access: CallerAccess | undefined,
  ctx: Context,
): Promise<KubeObject> {
  const named = readId(id, home)
  // Only the namespace of the adapter is managed, whatever an id says.
  if (named === undefined || named.namespace !== home) throw noSuchDeployment(id)
  const index = await cache.deployments(ctx)
  return (await index.find(id, access)).object
}
