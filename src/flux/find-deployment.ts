import { type Context, type KubeObject, LadingError } from '../core/index.ts'
import { noSuchDeployment } from '../deployment/index.ts'
import { idOf, readId } from './deployment-id.ts'
import type { FluxCache } from './flux-cache.ts'
import type { FluxKind } from './flux-kinds.ts'

/** The live object that an id names; a bare name must be the name of one object only. */
export async function findDeployment(cache: FluxCache, id: string, home: string, ctx: Context): Promise<KubeObject> {
  const named = readId(id, home)
  // Only the namespace of the adapter is managed, whatever an id says.
  if (named === undefined || named.namespace !== home) throw noSuchDeployment(id)
  const kinds: readonly FluxKind[] = named.kind === undefined ? ['HelmRelease', 'Kustomization'] : [named.kind]
  const found = await Promise.all(kinds.map((kind) => cache.deployment(kind, named.namespace, named.name, ctx)))
  const [object, second] = found.filter((one) => one !== undefined)
  if (object === undefined) throw noSuchDeployment(id)
  if (second === undefined) return object
  const ids = [idOf(object), idOf(second)]
  throw new LadingError('deployment.ambiguous', `${id} names two deployments: use ${ids.join(' or ')}`, { ids })
}
