import { LadingError } from '../../../core/index.ts'
import { applyFieldSpec, setScalar } from '../config/apply-field-spec.ts'
import type { FieldSpec } from '../config/field-spec.ts'
import { formatGvk, isSelectedBy } from '../resource/gvk.ts'
import type { ResMap } from '../resource/res-map.ts'

/** Sets the number of replicas of the workloads that have, or had, a name. */
export function setReplicas(
  resources: ResMap,
  { name, count }: { readonly name: string; readonly count: number },
  specs: readonly FieldSpec[],
): void {
  let found = false
  for (const spec of specs) {
    for (const resource of resources.resources) {
      if (resource.isDeleted) continue
      if (!resource.anyIds().some((id) => id.name === name && isSelectedBy(id.gvk, spec))) continue
      found = true
      applyFieldSpec(resource, spec, 'scalar', (slot) => setScalar(slot, count))
    }
  }
  if (found) return
  const kinds = specs.map(formatGvk).join(', ')
  throw new LadingError('kustomize.invalid', `replicas: resource with name ${name} does not match any of ${kinds}`, {
    name,
  })
}
