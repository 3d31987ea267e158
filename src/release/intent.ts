import type { KubeObject } from '../core/index.ts'
import type { Plan } from './plan.ts'
import type { ReleaseHistory } from './record/history.ts'
import type { SourceInfo, ValuesProvenance } from './record/record.ts'
import type { ReleaseName } from './release-name.ts'
import type { ContentInputs } from './source/content-inputs.ts'
import type { ChartRelease } from './storage/helm/helm-release.ts'

/** What to deploy: the rendered objects and where they came from. */
export interface Intent {
  readonly operation: 'install' | 'upgrade' | 'rollback'
  readonly release: ReleaseName
  readonly objects: readonly KubeObject[]
  readonly source: SourceInfo
  readonly values: Readonly<Record<string, unknown>>
  readonly userValues?: Readonly<Record<string, unknown>>
  readonly provenance: ValuesProvenance
  readonly notes?: string
  /** What Helm's own record has to hold, where the release is of a chart. */
  readonly chart?: ChartRelease
  /** The revision that a rollback goes back to. */
  readonly target?: number
  /** The revision that must still be the latest, where this is the way back from it. */
  readonly after?: number
  /** A plan that was approved: nothing else is done. */
  readonly plan?: Plan
  /** What was read of the release to render it: what of it still stands is not read again. */
  readonly history?: ReleaseHistory
}

/** What to install or upgrade to. */
export interface Content extends Omit<Intent, 'operation' | 'target' | 'after' | 'plan'> {
  /** What the objects were rendered from, and with which seed, so that a saved plan can render them again; it holds a secret. */
  readonly renderedFrom?: ContentInputs
}
