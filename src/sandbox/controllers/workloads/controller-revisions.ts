import type { KubeObject } from '../../../core/index.ts'
import { number, partOf } from '../../object-parts.ts'
import type { ControllerEnv } from '../controller.ts'
import { controllerRef } from '../pods/pod-factory.ts'
import { canonical, templateHash } from './template-hash.ts'
import { createAs, deleteAs, updateAs } from '../writes.ts'

const collection = 'apps/controllerrevisions'
const manager = 'kube-controller-manager'

/** The revisions of a StatefulSet's or DaemonSet's template, oldest first, and the one that is its template now. */
export interface Revisions {
  readonly all: readonly KubeObject[]
  readonly update: KubeObject
}

/** Keeps the template as a ControllerRevision; one that was there before becomes the newest again. */
export function syncRevisions(owner: KubeObject, hashLabel: string, env: ControllerEnv): Revisions {
  const template = partOf(owner, 'spec', 'template')
  const data = { spec: { template: { ...template, $patch: 'replace' } } }
  const known = env.index.controlled(owner, collection).sort((a, b) => numberOf(a) - numberOf(b))
  const newest = numberOf(known.at(-1))
  const text = canonical(data)
  const same = known.findLast((revision) => canonical(revision['data']) === text)
  if (same !== undefined && numberOf(same) === newest) return { all: known, update: same }
  const update =
    same === undefined
      ? createRevision(owner, hashLabel, data, newest + 1, env)
      : updateAs(env.backend, manager, { ...same, revision: newest + 1 })
  return { all: [...known.filter((revision) => revision !== same), update], update }
}

/** Deletes the oldest revisions beyond `revisionHistoryLimit` that no Pod is of. */
export function pruneControllerRevisions(
  owner: KubeObject,
  all: readonly KubeObject[],
  live: ReadonlySet<string>,
  env: ControllerEnv,
): void {
  const limit = number(partOf(owner, 'spec')['revisionHistoryLimit'], 10)
  const unused = all.filter((revision) => !live.has(revision.metadata.name))
  for (const revision of unused.slice(0, Math.max(0, unused.length - limit))) deleteAs(env.backend, revision)
}

/** The template that a revision holds. */
export function templateOf(revision: KubeObject): Record<string, unknown> {
  const { $patch: _, ...template } = partOf(revision, 'data', 'spec', 'template')
  return template
}

function createRevision(
  owner: KubeObject,
  hashLabel: string,
  data: Record<string, unknown>,
  revision: number,
  env: ControllerEnv,
): KubeObject {
  const { name, namespace = '', annotations } = owner.metadata
  const hash = templateHash(data, number(partOf(owner, 'status')['collisionCount'], 0))
  const labels = partOf(owner, 'spec', 'template', 'metadata', 'labels') as Record<string, string>
  return createAs(env.backend, manager, {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels: { ...labels, [hashLabel]: hash },
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [controllerRef(owner)],
    },
    data,
    revision,
  })
}

function numberOf(revision: KubeObject | undefined): number {
  return number(revision?.['revision'], 0)
}
