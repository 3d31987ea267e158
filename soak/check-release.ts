import { context } from '../src/core/index.ts'
import { type Bystanders, leftoverFiles } from './bystanders.ts'
import type { SoakCluster } from './clusters.ts'
import type { Version } from './content.ts'
import type { Round } from './draw-round.ts'
import { comparable, differences, readObjects, recordsOf } from './read-state.ts'
import type { References } from './references.ts'
import type { ReleaseWorld } from './release-world.ts'

const ctx = context()

/** Looks at everything that a round holds to. */
export interface Check {
  /** Differences between what is there and a clean install of a version. */
  state(version: Version | undefined, options?: { readonly extraAllowed?: boolean }): Promise<string[]>
  /** The same, with bystanders, history and files. */
  all(version: Version | undefined): Promise<string[]>
}

/** How the release of a round is looked at. */
export function checkOf(
  { cluster }: SoakCluster,
  references: References,
  round: Round,
  world: ReleaseWorld,
  bystanders: Bystanders,
): Check {
  const { namespace } = world
  const state: Check['state'] = async (version, options) => {
    const wanted = version === undefined ? new Map<string, string>() : await references.of(round, version)
    const objects = await readObjects(cluster, namespace)
    const records = version === undefined ? recordsOf(objects, 'shop').map((id) => `the record ${id} is left over`) : []
    return [...differences(comparable(objects, namespace, bystanders.ids), wanted, options), ...records]
  }
  return {
    state,
    async all(version) {
      const files = await leftoverFiles(world.storePath, namespace, version === undefined)
      // Nobody can know that the process which was killed does not come back to its draft; an hour later it is removed.
      const allowed = round.fault === 'sigkill' ? files.filter((each) => !each.includes('.draft')) : files
      return [
        ...(await state(version)),
        ...(await bystanders.check()),
        ...(await checkHistory(world, version)),
        ...allowed,
      ]
    },
  }
}

async function checkHistory({ store, namespace }: ReleaseWorld, version: Version | undefined): Promise<string[]> {
  const history = await store.history('shop', namespace, ctx)
  const told = history.map((revision) => `${revision.version} ${revision.status}`).join(', ')
  const statuses = history.map(({ status }) => status)
  const isGone = version === undefined
  const problems: string[] = []
  if (statuses.some((status) => status.startsWith('pending') || status === 'unknown')) problems.push('is not healed')
  const deployed = statuses.filter((status) => status === 'deployed').length
  if (deployed !== (isGone ? 0 : 1)) problems.push(`has ${deployed} deployed revisions`)
  if (statuses.at(-1) !== (isGone ? undefined : 'deployed')) problems.push('does not end as it should')
  if (history.some((revision, at) => revision.version !== at + 1)) problems.push('has gaps')
  return problems.map((problem) => `the history (${told}) ${problem}`)
}
