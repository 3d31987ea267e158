import type { KubeObject, ObjectRef } from '../../core/index.ts'

/** One object of a release, placed and marked as the release's own. */
export interface DesiredObject {
  readonly object: KubeObject
  readonly ref: ObjectRef
  readonly id: string
  readonly hash: string
}
