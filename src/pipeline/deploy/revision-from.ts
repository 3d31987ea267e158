import { type Context, LadingError } from '../../core/index.ts'
import { historyOf, type ReleaseEngine } from '../../release/index.ts'

/**
 * The revision that an artifact was deployed by: the newest that is or was good. One that never was is taken where there is no other,
 * with a warning.
 */
export async function revisionFrom(
  engine: ReleaseEngine,
  release: { readonly name: string; readonly namespace: string },
  digest: string,
  ctx: Context,
): Promise<{ readonly version: number; readonly warning?: string }> {
  const digests = new Set<string>()
  let other: number | undefined
  for (const { version, status } of [...(await historyOf(engine.store, release, ctx))].reverse()) {
    if (status === 'uninstalled' || status === 'unknown') continue
    const stored = await engine.store.get({ ...release, version }, ctx)
    const found = stored?.record.pack.digest
    if (found !== undefined) digests.add(found)
    if (stored === undefined || found !== digest) continue
    if (status === 'deployed' || status === 'superseded') return { version }
    other ??= version
  }
  if (other !== undefined)
    return { version: other, warning: `revision ${other} came from ${digest} and was never good` }
  const known = digests.size === 0 ? 'none came from an artifact' : `they came from ${[...digests].join(', ')}`
  const problem = `no revision of ${release.namespace}/${release.name} on record came from ${digest}: ${known}`
  throw new LadingError('release.no-target', problem, { ...release, digest, digests: [...digests] })
}
