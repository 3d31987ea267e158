import type { Origin } from '../resource/origin.ts'
import type { ResMap } from '../resource/res-map.ts'

/** Records a transformation where origins are tracked, and drops what it deleted; patches say themselves whether ids changed. */
export function finishTransformer(resources: ResMap, origin: Origin | undefined, isPatch = false): void {
  resources.dropDeleted()
  if (!isPatch) resources.changed()
  if (origin === undefined) return
  for (const resource of resources.resources) {
    if (resource.origin === undefined) resource.origin = origin
    else resource.transformations.push(origin)
    // Kustomize writes all annotations anew here, which ends their being shared.
    resource.setTexts('annotations', resource.texts('annotations'))
  }
}
