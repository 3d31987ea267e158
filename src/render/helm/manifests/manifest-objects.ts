import type { KubeObject } from '../../../core/index.ts'
import { objectsOf } from '../../../core/yaml/index.ts'
import type { Manifest } from './sort-manifests.ts'

/** The objects of rendered documents, lists expanded; a document that is no object is refused with its template's name. */
export function manifestObjects(manifests: readonly Manifest[]): KubeObject[] {
  return manifests.flatMap(({ path, head }) => objectsOf(head.document, path))
}
