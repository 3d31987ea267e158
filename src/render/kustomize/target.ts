import type { Build } from './accumulator.ts'
import type { Kustomization } from './load/kustomization.ts'
import type { Loader } from './load/loader.ts'
import type { OriginPlace } from './resource/origin.ts'

/** One kustomization while it is built. */
export interface Target {
  readonly build: Build
  readonly loader: Loader
  readonly kustomization: Kustomization
  /** Where its folder stands. */
  readonly place: OriginPlace
  /** The namespace that the kustomizations above it give to charts without one. */
  readonly helmNamespace: string
}
