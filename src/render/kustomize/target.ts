import type { Build } from './accumulator.ts'
import type { Kustomization } from './load/kustomization.ts'
import type { Loader } from './load/loader.ts'

/** One kustomization while it is built. */
export interface Target {
  readonly build: Build
  readonly loader: Loader
  readonly kustomization: Kustomization
  /** The path of its folder from where the build began. */
  readonly originPath: string
  /** The namespace that the kustomizations above it give to charts without one. */
  readonly helmNamespace: string
}
