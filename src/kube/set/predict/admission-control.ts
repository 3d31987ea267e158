import { type Context, isLadingError, isRecord, type KubeObject } from '../../../core/index.ts'
import type { ApiResource, Cluster } from '../../cluster.ts'
import { listObjects } from '../../read/list.ts'

/** Tells whether something that was added to the cluster may refuse or change the objects of a resource when they are written. */
export type AdmissionControl = (resource: Pick<ApiResource, 'group' | 'resource'>) => boolean

/**
 * Reads which webhooks and policies there are. Selectors and conditions are not looked at: what might apply counts as applying.
 * Who may not read them has to expect them everywhere.
 */
export async function readAdmissionControl(cluster: Cluster, ctx: Context): Promise<AdmissionControl> {
  const served = (await cluster.discovery.all(ctx)).filter(({ group }) => group === 'admissionregistration.k8s.io')
  // Of several versions one is enough, and what binds a policy says nothing that the policy does not.
  const deciding = served.filter(({ kind }) => !kind.endsWith('Binding')).toReversed()
  const byKind = new Map(deciding.map((resource) => [resource.kind, resource]))
  if ([...byKind.keys()].some((kind) => !(kind in rulesOf))) return everywhere
  try {
    const lists = await Promise.all([...byKind.values()].map((gvk) => listObjects(cluster, { gvk }, ctx)))
    const rules = lists.flatMap(({ items }) => items.flatMap((item) => rulesOf[item.kind]?.(item) ?? [undefined]))
    return (resource) => rules.some((rule) => applies(rule, resource))
  } catch (error) {
    if (isLadingError(error, 'kube.forbidden')) return everywhere
    throw error
  }
}

const everywhere: AdmissionControl = () => true

/** The rules of each kind; undefined among them is a rule for everything. */
const rulesOf: Readonly<Record<string, (object: KubeObject) => readonly unknown[]>> = {
  MutatingWebhookConfiguration: rulesOfWebhooks,
  ValidatingWebhookConfiguration: rulesOfWebhooks,
  MutatingAdmissionPolicy: rulesOfPolicy,
  ValidatingAdmissionPolicy: rulesOfPolicy,
}

function rulesOfWebhooks({ webhooks }: KubeObject): readonly unknown[] {
  if (!Array.isArray(webhooks)) return []
  return webhooks.flatMap((webhook: unknown) => (isRecord(webhook) ? listOf(webhook['rules']) : [undefined]))
}

function rulesOfPolicy({ spec }: KubeObject): readonly unknown[] {
  const constraints = isRecord(spec) ? spec['matchConstraints'] : undefined
  const rules = isRecord(constraints) ? listOf(constraints['resourceRules']) : []
  return rules.length === 0 ? [undefined] : rules
}

function applies(rule: unknown, { group, resource }: Parameters<AdmissionControl>[0]): boolean {
  if (!isRecord(rule)) return true
  return (
    hasAny(rule['apiGroups'], ['*', group]) &&
    hasAny(rule['resources'], ['*', '*/*', resource, `${resource}/*`]) &&
    hasAny(rule['operations'], ['*', 'CREATE', 'UPDATE'])
  )
}

function hasAny(list: unknown, wanted: readonly string[]): boolean {
  return listOf(list).some((item) => wanted.includes(String(item)))
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
