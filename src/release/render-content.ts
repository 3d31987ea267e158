import type { Context } from '../core/index.ts'
import { sharedByDefault } from './crd-policy.ts'
import type { ReleaseName } from './desired.ts'
import { readHistory } from './history.ts'
import type { Content } from './operations.ts'
import { recogniseSource } from './source/recognise-source.ts'
import type { SourceOptions } from './source/source.ts'
import type { ReleaseStore } from './storage/release-store.ts'
import type { ValuesMode } from './values/compose-values.ts'
import { readValues, type ValuesFlags } from './values/read-values.ts'

/** What a release is rendered from, as a user gives it: enough to render it again elsewhere. */
export interface ContentInputs extends ValuesFlags {
  /** A path, `-` or a reference. */
  readonly source: string
  readonly mode?: ValuesMode
  readonly recursive?: boolean
}

/** Renders a source for a release, with the values that are given now and, by mode, those of the revision that stands. */
export async function renderContent(
  store: ReleaseStore,
  release: ReleaseName,
  inputs: ContentInputs,
  options: Pick<SourceOptions, 'stdin' | 'maxBytes' | 'cwd' | 'kind' | 'artifacts'>,
  ctx: Context,
): Promise<Content> {
  const { recursive, mode } = inputs
  const source = await recogniseSource(
    inputs.source,
    { ...options, ...(recursive === undefined ? {} : { recursive }) },
    ctx,
  )
  const given = await readValues(inputs, options, ctx)
  const history = await readHistory(store, release, ctx)
  const { latest, current } = history
  const values = {
    ...given,
    ...(mode === undefined ? {} : { mode }),
    ...(current === undefined ? {} : { previous: current.record }),
  }
  const revision = (latest?.record.version ?? 0) + 1
  const isInstall = current === undefined
  const rendered = await source.render(
    { release: { ...release, revision, isInstall, isUpgrade: !isInstall }, values },
    ctx,
  )
  return {
    release,
    history,
    objects: [...sharedByDefault(rendered.crds ?? []), ...rendered.objects],
    source: rendered.info,
    values: rendered.values.values,
    userValues: rendered.values.userValues,
    provenance: rendered.values.provenance,
    ...(rendered.notes === undefined ? {} : { notes: rendered.notes }),
  }
}
