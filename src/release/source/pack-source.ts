import { createHash } from 'node:crypto'
import { type Context, isLadingError, LadingError } from '../../core/index.ts'
import { checkManifest, loadPack, type Pack, readPackFolder, type RenderedPack } from '../../render/pack/index.ts'
import { runStoppable } from '../../render/stoppable/index.ts'
import type { SourceInfo } from '../record/record.ts'
import { composeValues } from '../values/compose-values.ts'
import { valueOf } from './jobs/outcome.ts'
import { type PackInput, packJob } from './jobs/pack-job.ts'
import { refuseSecretUrls } from './refuse-secret-urls.ts'
import { type RenderWorld, renderWorld } from '../../render/world/index.ts'
import type { Rendered, RenderInput, Source, SourceOptions } from './source.ts'

/** A folder with a pack as a source; read once, however often it is rendered. */
export function packSource(path: string, options: SourceOptions): Source {
  let pack: Promise<Pack> | undefined
  return {
    async render(input, ctx) {
      pack ??= readPackFolder(path)
      return renderPackSource(await pack, path, options, input, ctx)
    },
  }
}

/** A pack out of an archive or an artifact as a source. */
export function packedPackSource(
  files: ReadonlyMap<string, { readonly content: Uint8Array }>,
  origin: string,
  options: SourceOptions,
): Source {
  const contents = new Map([...files].map(([name, { content }]) => [name, content]))
  const pack = loadPack(checkManifest(contents))
  return { render: (input, ctx) => renderPackSource(pack, origin, options, input, ctx) }
}

async function renderPackSource(
  pack: Pack,
  origin: string,
  { chart = {} }: SourceOptions,
  { release, cluster, values, world = renderWorld(), inlineMs }: RenderInput,
  ctx: Context,
): Promise<Rendered> {
  const { schemaDefaults, values: defaults } = pack
  const composed = composeValues({ ...values, schemaDefaults, defaults })
  const known = (await cluster?.capabilities(ctx)) ?? { kubeVersion: 'v1.35.0', apiVersions: [] }
  const { kubeVersion = known.kubeVersion, apiVersions = [], skipSchemaValidation = false } = chart
  const options = {
    values: composed.values,
    release,
    capabilities: { kubeVersion, apiVersions: [...known.apiVersions, ...apiVersions] },
    skipSchemaValidation,
  }
  const rendered = await renderLooking({ pack, options }, world, { cluster, inlineMs }, ctx)
  for (const message of rendered.warnings) ctx.log.warn(message, { pack: pack.metadata.name })
  const { objects, crds, notes } = rendered
  if (objects.length + crds.length === 0)
    throw new LadingError('source.empty', `${origin} renders to no objects`, { source: origin })
  return {
    objects,
    crds: chart.skipCrds === true ? [] : crds,
    info: infoOf(pack, origin),
    values: composed,
    defaults,
    ...(notes === undefined ? {} : { notes }),
  }
}

const maxRounds = 20

// Rendering never waits: what is looked up and not known yet is found empty, fetched, and the pack rendered again.
async function renderLooking(
  input: Pick<PackInput, 'pack' | 'options'>,
  world: RenderWorld,
  { cluster, inlineMs }: Pick<RenderInput, 'cluster' | 'inlineMs'>,
  ctx: Context,
): Promise<RenderedPack> {
  const { seed } = world
  const answers = new Map<string, { readonly value: unknown }>()
  for (let round = 0; round < maxRounds; round += 1) {
    const known = cluster === undefined ? undefined : answers
    const { asked, used, rendered } = await runStoppable(packJob, { ...input, seed, answers: known }, ctx, { inlineMs })
    world.noteUsed(used)
    if (cluster === undefined) return valueOf(rendered)
    if (asked.size === 0) {
      const found = valueOf(rendered)
      refuseSecretUrls(
        found.objects,
        [...answers.values()].map(({ value }) => value),
      )
      return found
    }
    if ('error' in rendered && !isLadingError(rendered.error)) valueOf(rendered)
    for (const [key, query] of asked) answers.set(key, { value: await cluster.lookup(query, ctx) })
  }
  throw new LadingError(
    'template.failed',
    `the pack ${input.pack.metadata.name} looks up something else each time it is rendered`,
  )
}

function infoOf({ metadata, files }: Pack, origin: string): SourceInfo {
  const { name, version, appVersion } = metadata
  const hash = createHash('sha256')
  for (const [path, data] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${createHash('sha256').update(data).digest('hex')} ${path}\n`)
  }
  const digest = `sha256:${hash.digest('hex')}`
  return { type: 'pack', name, version, ...(appVersion === undefined ? {} : { appVersion }), origin, digest }
}
