import type { Controller } from './controller.ts'
import { deploymentController } from './deployments.ts'
import { garbageCollector } from './garbage-collector.ts'
import { kubelet } from './kubelet.ts'
import { namespaceController } from './namespaces.ts'
import { replicaSetController } from './replica-sets.ts'
import { scheduler } from './scheduler.ts'

/** The controllers of every sandbox. */
export function allControllers(): Controller[] {
  return [namespaceController, garbageCollector, deploymentController, replicaSetController, scheduler, kubelet()]
}
