import type { PlacedObject, PlacedSet } from '../../kube/index.ts'

/** One object of a release, placed and marked as the release's own. */
export interface DesiredObject extends PlacedObject {
  readonly hash: string
}

/** Objects of a release as a set: their namespaces and replicas are decided once, for the whole release. */
export function placedSet(placed: readonly PlacedObject[]): PlacedSet {
  return { placed, failures: [], warnings: [] }
}
