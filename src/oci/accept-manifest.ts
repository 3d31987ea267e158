import { defined, LadingError } from '../core/index.ts'
import type { Descriptor } from './descriptor.ts'
import { childrenOf, type ImageIndex, type ImageManifest, isForeignLayer, isIndex, parseManifest } from './manifest.ts'

/**
 * Reads a manifest that is to be stored, and refuses one that refers to what is not there, as registries do: an artifact is
 * whole as soon as it can be found.
 */
export async function acceptManifest(
  d: Descriptor,
  content: Uint8Array,
  exists: (child: Descriptor) => Promise<boolean>,
): Promise<void> {
  for (const child of childrenOf(parseManifest(content, d))) {
    if (isForeignLayer(child.mediaType) || (await exists(child))) continue
    const message = `manifest ${d.digest} refers to ${child.digest}, which is not there`
    throw new LadingError('oci.incomplete', message, { digest: d.digest, missing: child.digest })
  }
}

/** The descriptor under which a manifest is listed with its subject (distribution specification, "Listing Referrers"). */
export function describeReferrer(d: Descriptor, manifest: ImageManifest | ImageIndex): Descriptor {
  const artifactType = manifest.artifactType ?? (isIndex(manifest) ? undefined : manifest.config.mediaType)
  return {
    mediaType: d.mediaType,
    digest: d.digest,
    size: d.size,
    ...defined({ artifactType, annotations: manifest.annotations }),
  }
}

/** The error for content that a place does not have. */
export function notFound(what: string, where: string): LadingError {
  return new LadingError('oci.not-found', `${where} has no ${what}`, { what, where })
}
