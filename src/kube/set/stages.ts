import type { GroupVersionKind, ObjectRef } from '../../core/index.ts'
import { compareForApply, kindRank } from '../../schema/index.ts'

/**
 * The stages of a set, in the order they are applied. A stage starts when the one before it has finished; inside it
 * everything runs at once. Neighbouring ranks of the kind order share a stage when none of them needs another to exist
 * first, so that a set costs few round trips:
 * - CRDs are waited for until Established, since the kinds they define are not served before;
 * - roles come before bindings, for the API server refuses to bind a role that it cannot resolve, and service accounts
 *   before Secrets, because the token controller deletes a token whose account is missing;
 * - what Pods refer to comes before what creates Pods;
 * - admission comes last, or it could refuse the rest of its own set while its backend is not up yet.
 */
export const stageNames = [
  'crds',
  'namespaces',
  'classes',
  'access',
  'configuration',
  'workloads',
  'others',
  'admission',
] as const

/** The name of a stage. */
export type StageName = (typeof stageNames)[number]

/** The objects that are applied, or deleted, together. */
export interface Stage<T> {
  readonly name: StageName
  readonly objects: readonly T[]
}

/** Groups a set into its non-empty stages, each in the order of apply. */
export function stagesOf<T>(items: readonly T[], refOfItem: (item: T) => ObjectRef): Stage<T>[] {
  const stages = new Map<StageName, { item: T; ref: ObjectRef }[]>(stageNames.map((name) => [name, []]))
  for (const item of items) {
    const ref = refOfItem(item)
    stages.get(stageOf(ref))?.push({ item, ref })
  }
  return [...stages].flatMap(([name, entries]) => {
    if (entries.length === 0) return []
    const sorted = entries.sort((a, b) => compareForApply(a.ref, b.ref))
    return [{ name, objects: sorted.map((entry) => entry.item) }]
  })
}

/** The stages of a set in the order they are deleted: the exact reverse of apply. */
export function deletionStagesOf<T>(items: readonly T[], refOfItem: (item: T) => ObjectRef): Stage<T>[] {
  return stagesOf(items, refOfItem)
    .reverse()
    .map((stage) => ({ name: stage.name, objects: stage.objects.toReversed() }))
}

/** The stage that a kind belongs to. */
export function stageOf({ group, kind }: Pick<GroupVersionKind, 'group' | 'kind'>): StageName {
  if (group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition') return 'crds'
  if (group === '' && kind === 'Namespace') return 'namespaces'
  if (group === 'admissionregistration.k8s.io') return 'admission'
  const rank = kindRank({ group, kind })
  return lastKinds.find(([, last]) => rank <= kindRank(last))?.[0] ?? 'others'
}

/** The highest-ranking kind of each stage that is a run of ranks. */
const lastKinds: readonly (readonly [StageName, Pick<GroupVersionKind, 'group' | 'kind'>])[] = [
  ['classes', { group: 'storage.k8s.io', kind: 'StorageClass' }],
  ['access', { group: 'rbac.authorization.k8s.io', kind: 'Role' }],
  ['configuration', { group: '', kind: 'LimitRange' }],
  ['workloads', { group: 'policy', kind: 'PodDisruptionBudget' }],
]
