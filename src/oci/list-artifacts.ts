import { type Context, isLadingError, runConcurrently } from '../core/index.ts'
import type { Target } from './target.ts'

/** A tag of a repository and what it names. */
export interface TaggedArtifact {
  readonly tag: string
  /** Absent if what the tag names is not a manifest. */
  readonly digest?: string
  readonly mediaType: string
  readonly size?: number
}

const atOnce = 8

/** Lists what each tag of a repository names; a tag that is removed meanwhile is left out, one that is not a manifest is listed. */
export async function listArtifacts(target: Target, ctx: Context): Promise<TaggedArtifact[]> {
  const tags = await target.tags(ctx)
  const ask = async (tag: string, inner: Context): Promise<TaggedArtifact | undefined> => {
    try {
      const { digest, mediaType, size } = await target.resolve(tag, inner)
      return { tag, digest, mediaType, size }
    } catch (error) {
      if (isLadingError(error, 'oci.manifest-invalid')) return { tag, mediaType: 'not readable' }
      if (isLadingError(error, 'oci.not-found')) return undefined
      throw error
    }
  }
  const rows = new Map<string, TaggedArtifact>()
  for await (const row of runConcurrently(tags, atOnce, ask, ctx)) if (row !== undefined) rows.set(row.tag, row)
  return tags.flatMap((tag) => rows.get(tag) ?? [])
}
