import { type Context, type KubeObject, LadingError } from '../../core/index.ts'
import {
  formatReference,
  openRepository,
  parseReference,
  pullArtifact,
  type PulledArtifact,
  type Reference,
  type RegistryOptions,
  type Target,
  verifySignature,
} from '../../oci/index.ts'
import { buildKustomization, memoryTree } from '../../render/kustomize/index.ts'
import type { SourceInfo } from '../record.ts'
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
  let pulled: Promise<PulledArtifact> | undefined
  const reference = parseReference(text)
  return {
    async render(input, ctx) {
      pulled ??= pullVerified(reference, options.artifacts ?? {}, ctx)
      return renderArtifact(await pulled, reference, input, ctx)
    },
  }
}

/** Pulls an artifact by digest: a tag is resolved first, and signatures, where they are wanted, are held to that digest. */
export async function pullVerified(
  reference: Reference,
  access: ArtifactAccess,
  ctx: Context,
): Promise<PulledArtifact> {
  const target = access.open?.(reference) ?? openRepository(reference, access.registry)
  try {
    const name = reference.digest ?? reference.tag ?? 'latest'
    const descriptor = await target.resolve(name, ctx)
    const { verifyKeys = [], identities = [] } = access
    if (verifyKeys.length > 0) await verifySignature(target, descriptor, verifyKeys, {}, ctx)
    return await pullArtifact(target, descriptor.digest, { expectDigest: descriptor.digest, identities }, ctx)
  } finally {
    await target.close()
  }
}

async function renderArtifact(
  artifact: PulledArtifact,
  reference: Reference,
  input: RenderInput,
  ctx: Context,
): Promise<Rendered> {
  const info = infoOf(artifact, reference)
  if (artifact.content === 'chart') return renderChartArtifact(artifact, info, input, ctx)
  const objects = artifact.content === 'tree' ? buildTree(artifact) : artifact.objects
  if (objects.length === 0) throw new LadingError('source.empty', `${info.origin} holds no objects`, { ...info })
  const { files = [], set = [] } = input.values ?? {}
  if (files.length + set.length > 0) ctx.log.warn('an artifact of objects does not use values: they are only recorded')
  return { objects, info, values: composeValues(input.values ?? {}) }
}

function renderChartArtifact(
  _artifact: PulledArtifact,
  info: SourceInfo,
  _input: RenderInput,
  _ctx: Context,
): Promise<Rendered> {
  throw new LadingError('source.unsupported', `${info.origin} is a Helm chart, which Lading does not render yet`)
}

/** A tree with a kustomization at its root is built, as Flux' kustomize-controller does. */
function buildTree({ files }: PulledArtifact): readonly KubeObject[] {
  const contents = Object.fromEntries([...files].map(([name, { content }]) => [name, content]))
  return buildKustomization(memoryTree(contents), '/')
}

function infoOf({ digest, metadata }: PulledArtifact, reference: Reference): SourceInfo {
  const { tag, repository } = reference
  const version = tag ?? metadata.version
  return {
    type: 'artifact',
    name: repository.slice(repository.lastIndexOf('/') + 1),
    ...(version === undefined ? {} : { version }),
    // By digest, so that whoever renders it again gets the same.
    origin: formatReference({ ...reference, digest }),
    digest,
  }
}
