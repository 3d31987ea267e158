import { type Context, during, isLadingError, type KubeObject, LadingError } from '../../core/index.ts'
import {
  type Descriptor,
  formatReference,
  openRepository,
  parseReference,
  type PulledArtifact,
  pullVerified,
  type Reference,
  type RegistryOptions,
  type Target,
} from '../../oci/index.ts'
import { buildWithRemotes, memoryTree } from '../../render/kustomize/index.ts'
import type { SourceInfo } from '../record/record.ts'
import { composeValues } from '../values/compose-values.ts'
import type { Rendered, RenderInput, Source, SourceOptions } from './source.ts'

/** How artifacts are fetched. */
export interface ArtifactAccess {
  readonly registry?: RegistryOptions
  /** Identities of age for encrypted artifacts. */
  readonly identities?: readonly string[]
  /** Public keys, in PEM: an artifact that none of them signed is refused. */
  readonly verifyKeys?: readonly string[]
  /** Opens a repository in place of the registry itself. */
  readonly open?: (reference: Reference) => Target
}

/** An artifact of a registry as a source; pulled once, by the digest that its tag names at that time. */
export function artifactSource(text: string, options: SourceOptions): Source {
  let pulled: Promise<{ artifact: PulledArtifact; reference: Reference }> | undefined
  const named = parseReference(text)
  return {
    async render(input, ctx) {
      const version = options.chart?.version
      pulled ??= during(`fetching ${text}`, ctx, () => pullNamed(named, options.artifacts ?? {}, ctx, version))
      const { artifact, reference } = await pulled
      return renderArtifact(artifact, reference, options, input, ctx)
    },
  }
}

/** Pulls an artifact by digest: a tag is resolved first, and signatures, where they are wanted, are held to that digest. */
async function pullNamed(
  named: Reference,
  access: ArtifactAccess,
  ctx: Context,
  version: string | undefined,
): Promise<{ artifact: PulledArtifact; reference: Reference }> {
  const target = access.open?.(named) ?? openRepository(named, access.registry)
  try {
    const { reference, descriptor } = await resolveVersion(target, named, version, ctx)
    const { verifyKeys = [], identities = [] } = access
    return { artifact: await pullVerified(target, descriptor.digest, { verifyKeys, identities }, ctx), reference }
  } finally {
    await target.close()
  }
}

/** Without a tag or digest it is `latest`; charts are tagged by version instead, and the newest that fits is meant. */
async function resolveVersion(
  target: Target,
  named: Reference,
  version: string | undefined,
  ctx: Context,
): Promise<{ reference: Reference; descriptor: Descriptor }> {
  const name = named.digest ?? named.tag ?? (version === undefined ? 'latest' : undefined)
  try {
    if (name !== undefined) return { reference: named, descriptor: await target.resolve(name, ctx) }
  } catch (error) {
    if (named.tag !== undefined || named.digest !== undefined || !isLadingError(error, 'oci.not-found')) throw error
  }
  const { newestVersion } = await import('../../render/helm/index.ts')
  const tags = await target.tags(ctx)
  // A tag has no plus: Helm writes an underscore.
  const newest = newestVersion(
    tags.map((tag) => tag.replaceAll('_', '+')),
    version ?? '*',
  )
  if (newest === undefined) {
    const problem = `${formatReference(named)} has no version ${version ?? ''}`.trimEnd()
    throw new LadingError('oci.not-found', problem, { reference: formatReference(named) })
  }
  const reference = { ...named, tag: newest.replaceAll('+', '_') }
  return { reference, descriptor: await target.resolve(reference.tag, ctx) }
}

async function renderArtifact(
  artifact: PulledArtifact,
  reference: Reference,
  options: SourceOptions,
  input: RenderInput,
  ctx: Context,
): Promise<Rendered> {
  const info = infoOf(artifact, reference)
  if (artifact.chart !== undefined) return renderChartArtifact(artifact.chart.archive, info, options, input, ctx)
  if (artifact.content === 'tree' && artifact.files.has('Pack.yaml')) {
    const { packedPackSource } = await import('./pack-source.ts')
    return packedPackSource(artifact.files, info.origin ?? '', options).render(input, ctx)
  }
  const objects = artifact.content === 'tree' ? await buildTree(artifact, ctx) : artifact.objects
  if (objects.length === 0) throw new LadingError('source.empty', `${info.origin} holds no objects`, { ...info })
  const { files = [], set = [] } = input.values ?? {}
  if (files.length + set.length > 0) ctx.log.warn('an artifact of objects does not use values: they are only recorded')
  return { objects, info, values: composeValues(input.values ?? {}) }
}

async function renderChartArtifact(
  archive: Uint8Array,
  { origin = '' }: SourceInfo,
  options: SourceOptions,
  input: RenderInput,
  ctx: Context,
): Promise<Rendered> {
  // Loaded only now: most artifacts hold objects.
  const [{ readChartArchive }, { renderChartSource }] = await Promise.all([
    import('../../render/helm/index.ts'),
    import('./chart-source.ts'),
  ])
  return renderChartSource(readChartArchive(archive), origin, options.chart ?? {}, input, ctx)
}

/** A tree with a kustomization at its root is built, as Flux' kustomize-controller does. */
async function buildTree({ files }: PulledArtifact, ctx: Context): Promise<readonly KubeObject[]> {
  const contents = Object.fromEntries([...files].map(([name, { content }]) => [name, content]))
  return (await buildWithRemotes(memoryTree(contents), '/', {}, undefined, ctx)).objects
}

function infoOf({ digest }: PulledArtifact, reference: Reference): SourceInfo {
  const { tag, repository } = reference
  return {
    type: 'artifact',
    name: repository.slice(repository.lastIndexOf('/') + 1),
    // Only the tag that was asked for: what kustomizer annotates as a version is 1.0.0 unless somebody says otherwise.
    ...(tag === undefined ? {} : { version: tag }),
    // By digest, so that whoever renders it again gets the same.
    origin: formatReference({ ...reference, digest }),
    digest,
  }
}
