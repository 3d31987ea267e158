import type { RenderSeed } from '../../render/world/index.ts'
import type { ValuesMode } from '../values/compose-values.ts'
import type { ValuesFlags } from '../values/read-values.ts'
import type { RemoteOptions } from './remote/fetch-remote.ts'
import type { ChartOptions } from './source.ts'

/** What a release is rendered from, as a user gives it: enough to render it again elsewhere. */
export interface ContentInputs extends ValuesFlags, RenderSeed {
  /** A path, `-` or a reference. */
  readonly source: string
  readonly mode?: ValuesMode
  readonly recursive?: boolean
  readonly chart?: ChartOptions
  readonly enableHelm?: boolean
  readonly remote?: RemoteOptions
}
