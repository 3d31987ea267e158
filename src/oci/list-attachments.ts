import type { Context } from '../core/index.ts'
import { companionTags } from './signature/companion-tags.ts'
import type { Target } from './target.ts'

/** A signature, or something else that refers to an artifact. */
export interface Attachment {
  readonly type: string
  /** The tag of a signature that is kept beside the artifact, as cosign does it. */
  readonly tag?: string
  readonly digest?: string
}

/** Lists the signatures of an artifact and whatever else refers to it. */
export async function listAttachments(target: Target, digest: string, ctx: Context): Promise<Attachment[]> {
  const found = await target.resolve(digest, ctx)
  const listed = await target.referrers(found, undefined, ctx)
  const tags = await target.tags(ctx)
  const signatures = companionTags(found).filter((tag) => tag.endsWith('.sig') && tags.includes(tag))
  return [
    ...signatures.map((tag) => ({ type: 'cosign', tag })),
    ...listed.map((each) => ({ type: each.artifactType ?? each.mediaType, digest: each.digest })),
  ]
}
