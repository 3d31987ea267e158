import { type Context, isLadingError, LadingError } from '../../core/index.ts'
import { type Descriptor, parseDigest } from '../descriptor.ts'
import { type ImageManifest, isIndex, maxManifestBytes, parseManifest } from '../manifest.ts'
import { fetchAll, type Target } from '../target.ts'

/** The tag that cosign keeps the signatures of a manifest under: `sha256-….sig`. */
export function signatureTag({ digest }: Descriptor): string {
  const { algorithm, hex } = parseDigest(digest)
  // A tag has 128 characters at most.
  if (algorithm !== 'sha256') throw new LadingError('usage.invalid', 'only sha256 digests have a signature tag')
  return `${algorithm}-${hex}.sig`
}

/** The manifest under a tag; undefined if there is no such tag. */
export async function findManifest(
  target: Target,
  tag: string,
  ctx: Context,
): Promise<{ readonly descriptor: Descriptor; readonly manifest: ImageManifest } | undefined> {
  let descriptor: Descriptor
  try {
    descriptor = await target.resolve(tag, ctx)
  } catch (error) {
    if (isLadingError(error, 'oci.not-found')) return undefined
    throw error
  }
  return { descriptor, manifest: await readManifest(target, descriptor, ctx) }
}

/** Reads the manifest of signatures. */
export async function readManifest(target: Target, descriptor: Descriptor, ctx: Context): Promise<ImageManifest> {
  const manifest = parseManifest(await fetchAll(target, descriptor, maxManifestBytes, ctx), descriptor)
  if (!isIndex(manifest)) return manifest
  throw new LadingError('signature.invalid', `${descriptor.digest} is an index where signatures should be`)
}
