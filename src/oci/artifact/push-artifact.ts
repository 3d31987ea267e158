import type { Context } from '../../core/index.ts'
import type { Descriptor } from '../descriptor.ts'
import type { Target } from '../target.ts'
import type { PackedArtifact } from './packed-artifact.ts'

/**
 * Pushes an artifact: blobs, then the manifest, with the tag if there is one. Whoever finds it finds it whole; an artifact that is
 * there already costs a question for each blob.
 */
export async function pushArtifact(
  target: Target,
  { manifest, blobs }: PackedArtifact,
  tag: string | undefined,
  ctx: Context,
): Promise<Descriptor> {
  await Promise.all(
    blobs.map(async ({ descriptor, content }) => {
      if (!(await target.exists(descriptor, ctx))) await target.push(descriptor, content, ctx)
    }),
  )
  if (tag === undefined) await target.push(manifest.descriptor, manifest.content, ctx)
  else await target.pushTagged(manifest.descriptor, manifest.content, tag, ctx)
  return manifest.descriptor
}
