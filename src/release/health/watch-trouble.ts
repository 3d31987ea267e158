import { type Context, type KubeObject, objectId, type ObjectRef } from '../../core/index.ts'
import { type Cluster, type RuleStatus, type StatusReader, statusReader, watchObjects } from '../../kube/index.ts'
import { isAlwaysReadyKind } from '../../schema/index.ts'

/** What ended the health of a set. */
export interface Trouble {
  readonly ref: ObjectRef
  readonly message: string
}

/** Resolves as soon as one of the objects, which were all ready, is so no more; otherwise lasts until the signal aborts. */
export async function firstTrouble(
  cluster: Cluster,
  refs: readonly ObjectRef[],
  judge: RuleStatus,
  ctx: Context,
): Promise<Trouble> {
  const groups = Map.groupBy(
    refs.filter((ref) => !isAlwaysReadyKind(ref)),
    ({ group, version, kind, namespace }) => `${group}/${version}/${kind}/${namespace ?? ''}`,
  )
  // All of them counted as ready: a status that nobody has written is no trouble.
  const read = statusReader(cluster, 0, ctx)
  const judgeOrRead: StatusReader = async (object, silentMs) => judge(object) ?? (await read(object, silentMs))
  const never = new Promise<Trouble>((_resolve, reject) => {
    ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason as Error), { once: true })
  })
  return await Promise.race([
    never,
    ...[...groups.values()].map((members) => watchGroup(cluster, members, judgeOrRead, ctx)),
  ])
}

async function watchGroup(
  cluster: Cluster,
  members: readonly ObjectRef[],
  read: StatusReader,
  ctx: Context,
): Promise<Trouble> {
  const wanted = new Map(members.map((ref) => [objectId(ref), ref]))
  const seen = new Set<string>()
  const [first] = members
  const { namespace, name } = first ?? {}
  const query = {
    gvk: first ?? { group: '', version: 'v1', kind: 'Pod' },
    ...(namespace === undefined ? {} : { namespace }),
    ...(members.length === 1 && name !== undefined ? { name } : {}),
  }
  for await (const event of watchObjects(cluster, query, ctx)) {
    if (event.type === 'synced') {
      const gone = members.find((ref) => !seen.has(objectId(ref)) && !mayEnd(ref))
      if (gone !== undefined) return { ref: gone, message: 'does not exist any more' }
    }
    if (event.type !== 'added' && event.type !== 'modified' && event.type !== 'deleted') continue
    const { group, kind } = members[0] ?? query.gvk
    const at = event.object.metadata.namespace
    const id = objectId({
      group,
      kind,
      name: event.object.metadata.name,
      ...(at === undefined ? {} : { namespace: at }),
    })
    const ref = wanted.get(id)
    if (ref === undefined) continue
    seen.add(id)
    const message = event.type === 'deleted' ? goneMessage(ref) : await troubleOf(event.object, read)
    if (message !== undefined) return { ref, message }
  }
  // A watch only ends by being aborted, which it throws.
  return { ref: members[0] as ObjectRef, message: 'is not watched any more' }
}

async function troubleOf(object: KubeObject, read: StatusReader): Promise<string | undefined> {
  const { status, message } = await read(object, 0)
  return status === 'Current' ? undefined : message
}

function goneMessage(ref: ObjectRef): string | undefined {
  return mayEnd(ref) ? undefined : 'was deleted'
}

/** What runs to its end may be cleaned away after it. */
function mayEnd({ group, kind }: ObjectRef): boolean {
  return kind === 'Job' && group === 'batch'
}
