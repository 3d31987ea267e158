import type { KubeObject } from '../../../core/index.ts'
import { timestamp } from '../../backend.ts'
import { number, partOf } from '../../object-parts.ts'
import { isReady } from './availability.ts'
import { conditionsOf, replaceCondition } from '../conditions.ts'
import { type Controller, type ControllerEnv, ownKey } from '../controller.ts'
import { selects } from '../../label-selector.ts'
import { controllerOf } from '../object-index.ts'
import { isActive } from '../pods/pod-factory.ts'
import { scaled } from './rollout.ts'
import { setStatus } from '../writes.ts'

const collection = 'policy/poddisruptionbudgets'

/** Counts how many Pods of a budget may be disrupted. */
export const disruptionController: Controller = {
  name: 'disruption',
  watches: {
    [collection]: ownKey,
    '/pods': (pod, _, index) =>
      index
        .inNamespace(collection, pod.metadata.namespace ?? '')
        .filter((budget) => selects(partOf(budget, 'spec')['selector'], pod))
        .flatMap(ownKey),
  },
  reconcile: (key, env) => {
    const budget = env.backend.store.get(collection, key.namespace, key.name)
    if (budget === undefined || budget.metadata.deletionTimestamp !== undefined) return
    const { selector, minAvailable, maxUnavailable } = partOf(budget, 'spec')
    const pods = env.index.inNamespace('/pods', key.namespace).filter((pod) => isActive(pod) && selects(selector, pod))
    const expected = typeof minAvailable === 'number' ? pods.length : expectedPods(pods, env)
    const desired =
      maxUnavailable === undefined
        ? scaled(minAvailable ?? 1, expected, Math.ceil)
        : Math.max(0, expected - scaled(maxUnavailable, expected, Math.ceil))
    const healthy = pods.filter(isReady).length
    const allowed = expected === 0 ? 0 : Math.max(0, healthy - desired)
    const condition = {
      type: 'DisruptionAllowed',
      status: allowed > 0 ? 'True' : 'False',
      reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
      message: '',
      observedGeneration: budget.metadata.generation ?? 1,
    }
    setStatus(env.backend, 'kube-controller-manager', budget, {
      conditions: replaceCondition(conditionsOf(budget), condition, timestamp(env.backend.clock)),
      currentHealthy: healthy,
      desiredHealthy: desired,
      disruptionsAllowed: allowed,
      expectedPods: expected,
      observedGeneration: budget.metadata.generation ?? 1,
    })
  },
}

/** How many Pods the controllers of these Pods want. */
function expectedPods(pods: readonly KubeObject[], { index }: ControllerEnv): number {
  const owners = new Map<string, KubeObject>()
  let bare = 0
  for (const pod of pods) {
    const owner = controllerOf(pod)
    const { namespace = '' } = pod.metadata
    const collectionOf = { ReplicaSet: 'apps/replicasets', StatefulSet: 'apps/statefulsets' }[owner?.kind ?? '']
    const found = collectionOf === undefined ? undefined : index.get(collectionOf, namespace, owner?.name ?? '')
    const above = found === undefined ? undefined : controllerOf(found)
    const top = above?.kind === 'Deployment' ? index.get('apps/deployments', namespace, above.name) : undefined
    const scale = top ?? found
    if (scale === undefined) bare += 1
    else owners.set(scale.metadata.uid ?? '', scale)
  }
  return [...owners.values()].reduce((total, owner) => total + number(partOf(owner, 'spec')['replicas'], 1), bare)
}
