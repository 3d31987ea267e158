import { type Context, defined, during } from '../../core/index.ts'
import type { Cluster } from '../../kube/index.ts'
import { sharedByDefault } from '../ownership/crd-policy.ts'
import type { ReleaseName } from '../release-name.ts'
import { readHistory, type ReleaseHistory } from '../record/history.ts'
import type { Content } from '../intent.ts'
import type { ContentInputs } from './content-inputs.ts'
import { clusterView } from './cluster-view.ts'
import { type RenderSeed, renderWorld } from '../../render/world/index.ts'
import { recogniseSource, withoutSecrets } from './recognise-source.ts'
import type { Rendered, SourceOptions } from './source.ts'
import type { ReleaseStore } from '../storage/release-store.ts'
import { readValues } from '../values/read-values.ts'

/** How content is read, and the cluster that it is meant for. */
export interface ReadingOptions extends Pick<
  SourceOptions,
  'stdin' | 'maxBytes' | 'cwd' | 'kind' | 'artifacts' | 'fetchChart' | 'openRemote' | 'program' | 'reproducibleAt'
> {
  /** What charts learn of the cluster, and look up in it; without it they see what `helm template` sees. */
  readonly cluster?: Cluster
  /** Renders as for an upgrade although there is no revision before. */
  readonly isUpgrade?: boolean
}

/** Renders a source for a release, with the values that are given now and, by mode, those of the revision that stands. */
export async function renderContent(
  store: ReleaseStore,
  release: ReleaseName,
  inputs: ContentInputs,
  options: ReadingOptions,
  ctx: Context,
): Promise<Content> {
  const { rendered, renderedWith, history } = await renderInputs(store, release, inputs, options, ctx)
  const { info, values, notes, chart } = rendered
  return {
    release,
    history,
    objects: [...sharedByDefault(rendered.crds ?? []), ...rendered.objects],
    source: info,
    values: values.values,
    userValues: values.userValues,
    provenance: values.provenance,
    renderedFrom: { ...inputs, ...renderedWith },
    ...defined({ notes, chart }),
  }
}

/** What a source came to for a release, as the source gives it. */
export async function renderInputs(
  store: ReleaseStore,
  release: ReleaseName,
  inputs: ContentInputs,
  { cluster, isUpgrade, ...options }: ReadingOptions,
  ctx: Context,
): Promise<{ readonly rendered: Rendered; readonly renderedWith: RenderSeed; readonly history: ReleaseHistory }> {
  const { recursive, mode, chart, enableHelm, remote } = inputs
  const how = { ...options, ...defined({ recursive, chart, enableHelm, remote }) }
  const name = withoutSecrets(inputs.source)
  const source = await during(`reading ${name}`, ctx, () => recogniseSource(inputs.source, how, ctx))
  const given = await during('reading values', ctx, () => readValues(inputs, options, ctx))
  const about = `reading the history of release ${release.namespace}/${release.name}`
  const history = await during(about, ctx, () => readHistory(store, release, ctx))
  const { latest, current } = history
  const values = {
    ...given,
    ...(mode === undefined ? {} : { mode }),
    ...(current === undefined ? {} : { previous: current.record }),
  }
  const revision = (latest?.record.version ?? 0) + 1
  const isInstall = current === undefined && isUpgrade !== true
  const world = renderWorld(inputs, ctx.clock)
  const input = {
    world,
    release: { ...release, revision, isInstall, isUpgrade: !isInstall },
    values,
    ...(cluster === undefined ? {} : { cluster: clusterView(cluster) }),
  }
  const rendered = await during(`rendering ${name}`, ctx, () => source.render(input, ctx))
  if (chart !== undefined && rendered.chart === undefined && rendered.info.type !== 'program')
    ctx.log.warn('the source is no chart: what is said about charts is not used', { source: rendered.info.name })
  return { rendered, renderedWith: world.used(), history }
}
