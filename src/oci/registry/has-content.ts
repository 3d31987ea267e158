import type { Context } from '../../core/index.ts'
import { dump } from '../../net/index.ts'
import { type Descriptor, sizeMismatch } from '../descriptor.ts'
import { isManifestType } from '../manifest.ts'
import { header } from './answer-error.ts'
import type { RegistryClient } from './client.ts'
import { contentPath, type Right, scopeOf } from './repository-paths.ts'

/** Whether a repository has content, by a HEAD; the rights are those of what is about to be done. */
export async function hasContent(
  client: RegistryClient,
  repository: string,
  d: Descriptor,
  ctx: Context,
  rights: readonly Right[] = ['pull'],
): Promise<boolean> {
  const answer = await client.send(
    {
      method: 'HEAD',
      to: contentPath(repository, d),
      headers: isManifestType(d.mediaType) ? { accept: d.mediaType } : {},
      scopes: [scopeOf(repository, ...rights)],
      expect: [200, 404],
      what: `search for ${d.digest} in ${repository}`,
    },
    ctx,
  )
  await dump(answer)
  if (answer.status === 404) return false
  const length = header(answer, 'content-length')
  if (length !== undefined && Number(length) !== d.size) throw sizeMismatch(d, Number(length))
  return true
}
