import {
  type Context,
  formatRef,
  isLadingError,
  type KubeObject,
  LadingError,
  type ObjectMeta,
  type ObjectRef,
  refOf,
  runConcurrently,
} from '../../core/index.ts'
import { type Cluster, listObjects } from '../../kube/index.ts'
import type { ReleaseName } from '../release-name.ts'
import { otherRelease } from './ownership.ts'
import { usualKinds } from './usual-kinds.ts'

/** A namespace that other releases are in: what they have there would be deleted with it. */
export interface NamespaceUse {
  readonly namespace: ObjectRef
  /** The other releases, as `namespace/name`. */
  readonly releases: readonly string[]
  /** The first of their objects. */
  readonly objects: readonly ObjectRef[]
}

const shownInMessage = 5
const shownInDetails = 20
const listsInFlight = 8

/** Whether an object is a namespace. */
export function isNamespace({ group, kind }: ObjectRef): boolean {
  return group === '' && kind === 'Namespace'
}

/**
 * Finds the namespaces of a set, all of them about to be deleted, in which other releases have objects or records. Objects without the marks
 * of any release do not count: controllers and people leave some in every namespace.
 */
export async function findNamespaceUses(
  cluster: Cluster,
  release: ReleaseName,
  refs: readonly ObjectRef[],
  ctx: Context,
): Promise<NamespaceUse[]> {
  const uses: NamespaceUse[] = []
  for (const namespace of refs.filter(isNamespace)) {
    const found = await objectsOfOthers(cluster, release, namespace.name, ctx)
    if (found.length === 0) continue
    const releases = [...new Set(found.map(({ owner }) => owner))].toSorted()
    uses.push({ namespace, releases, objects: found.slice(0, shownInDetails).map(({ ref }) => ref) })
  }
  return uses
}

/** The other releases that stand in the way of deleting a namespace, as a reason. */
export function namespaceReason({ releases, objects }: NamespaceUse): string {
  const told = releases.slice(0, shownInMessage).join(', ')
  const more = releases.length > shownInMessage ? ` and ${releases.length - shownInMessage} more` : ''
  const what = releases.length === 1 ? 'another release' : `${releases.length} other releases`
  const example = objects[0] === undefined ? '' : ` (${formatRef(objects[0])}, for example)`
  return `what ${what} has in it would be deleted with it: ${told}${more}${example}`
}

/** The refusal to delete namespaces that other releases are in. */
export function namespaceInUse(uses: readonly NamespaceUse[]): LadingError {
  const message = uses.map((use) => `${formatRef(use.namespace)}: ${namespaceReason(use)}`).join('; ')
  return new LadingError('release.namespace-in-use', message, { namespaces: uses })
}

interface Found {
  readonly ref: ObjectRef
  readonly owner: string
}

async function objectsOfOthers(
  cluster: Cluster,
  release: ReleaseName,
  namespace: string,
  ctx: Context,
): Promise<Found[]> {
  const served = await cluster.discovery.all(ctx)
  const kinds = usualKinds.flatMap((wanted) => {
    const resource = served.find(({ group, kind }) => group === wanted.group && kind === wanted.kind)
    return resource?.verbs.includes('list') === true ? [resource] : []
  })
  const list = async ({ group, version, kind }: (typeof kinds)[number], inner: Context): Promise<KubeObject[]> => {
    const query = { gvk: { group, version, kind }, namespace, metadataOnly: true }
    try {
      return [...(await listObjects(cluster, query, inner)).items]
    } catch (error) {
      if (isLadingError(error, 'kube.forbidden', 'kube.unknown-kind')) return []
      throw error
    }
  }
  const found: Found[] = []
  for await (const items of runConcurrently(kinds, listsInFlight, list, ctx)) {
    for (const item of items) {
      const owner = otherRelease(item.metadata, release) ?? otherRecord(item.metadata, release)
      if (owner !== undefined && item.metadata.deletionTimestamp === undefined) found.push({ ref: refOf(item), owner })
    }
  }
  return found
}

/** The other release whose record an object is, in one of the formats of Lading and Helm. */
function otherRecord({ name, namespace = '', labels = {} }: ObjectMeta, release: ReleaseName): string | undefined {
  const isHelms = name.startsWith('sh.helm.release.v1.') && labels['owner'] === 'helm'
  const recorded = isHelms ? labels['name'] : labels['sherpack.io/release-name']
  if (recorded === undefined) return undefined
  const owner = `${labels['sherpack.io/release-namespace'] ?? namespace}/${recorded}`
  return owner === `${release.namespace}/${release.name}` ? undefined : owner
}
