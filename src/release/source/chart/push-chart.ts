import type { Context } from '../../../core/index.ts'
import {
  openTarget,
  type PackedArtifact,
  pushArtifact,
  refuseDigest,
  type RegistryOptions,
  signArtifact,
  type SigningKey,
} from '../../../oci/index.ts'
import { packChartSource, type PackChartSourceOptions } from './pack-chart-source.ts'

/** Where an artifact is pushed to. */
export interface PushOptions {
  /** How the registry is reached. */
  readonly registry?: RegistryOptions | undefined
  /** The folder that the path of a layout starts from (default: the working directory). */
  readonly cwd?: string | undefined
  /** Signs the artifact after it was pushed. */
  readonly signingKey?: SigningKey | undefined
}

/** An artifact that was pushed. */
export interface PushedArtifact {
  /** The reference with its digest. */
  readonly artifact: string
  readonly digest: string
  readonly tag: string | undefined
  /** The bytes of its manifest and its blobs. */
  readonly size: number
  readonly signed: boolean
}

/** Pushes the chart of a folder or an archive, as `helm push` does, and signs it if a key is given. */
export async function pushChart(
  reference: string,
  path: string,
  { created, followLinks, ...where }: PushOptions & PackChartSourceOptions,
  ctx: Context,
): Promise<PushedArtifact> {
  const packed = await packChartSource(reference, path, { created, followLinks }, ctx)
  return pushPacked(packed.reference, packed.packed, where, ctx)
}

/** Pushes a packed artifact to a registry or an image layout, and signs it if a key is given. */
export async function pushPacked(
  reference: string,
  packed: PackedArtifact,
  { registry = {}, cwd, signingKey }: PushOptions,
  ctx: Context,
): Promise<PushedArtifact> {
  const place = openTarget(reference, { registry, cwd })
  const { target, tag, pinned } = place
  try {
    refuseDigest(reference, place)
    const { digest } = await pushArtifact(target, packed, tag, ctx)
    if (signingKey !== undefined) await signArtifact(target, await target.resolve(digest, ctx), signingKey, {}, ctx)
    const size = packed.blobs.reduce((sum, { descriptor }) => sum + descriptor.size, packed.manifest.descriptor.size)
    return { artifact: pinned(digest), digest, tag, size, signed: signingKey !== undefined }
  } finally {
    await target.close()
  }
}
