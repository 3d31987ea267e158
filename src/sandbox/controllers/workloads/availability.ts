import type { KubeObject } from '../../../core/index.ts'
import { text } from '../../object-parts.ts'
import { conditionOf } from '../conditions.ts'
import type { ControllerEnv, Key } from '../controller.ts'

/** Whether a Pod is ready. */
export function isReady(pod: KubeObject): boolean {
  return conditionOf(pod, 'Ready')?.status === 'True'
}

/** Whether a Pod has been ready for long enough; when it will be only later, the key is looked at again then. */
export function isAvailable(pod: KubeObject, minReadySeconds: number, key: Key, env: ControllerEnv): boolean {
  const ready = conditionOf(pod, 'Ready')
  if (ready?.status !== 'True') return false
  if (minReadySeconds === 0) return true
  const left = Date.parse(text(ready['lastTransitionTime'])) + minReadySeconds * 1000 - env.backend.clock.now()
  if (left > 0) env.after(left, key)
  return left <= 0
}
