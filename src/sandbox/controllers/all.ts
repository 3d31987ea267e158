import type { Controller } from './controller.ts'
import { cronJobController } from './cron-jobs.ts'
import { daemonSetController } from './daemon-sets.ts'
import { deploymentController } from './deployments.ts'
import { disruptionController } from './disruption-budgets.ts'
import { garbageCollector } from './garbage-collector.ts'
import { jobController } from './jobs.ts'
import { kubelet } from './kubelet.ts'
import { namespaceController } from './namespaces.ts'
import { replicaSetController } from './replica-sets.ts'
import { scheduler } from './scheduler.ts'
import { serviceController } from './services.ts'
import { statefulSetController } from './stateful-sets.ts'
import { volumeController } from './volumes.ts'

/** The controllers of every sandbox. */
export function allControllers(): Controller[] {
  return [
    namespaceController,
    garbageCollector,
    cronJobController,
    deploymentController,
    replicaSetController,
    statefulSetController,
    daemonSetController,
    jobController,
    volumeController,
    scheduler,
    kubelet(),
    serviceController,
    disruptionController,
  ]
}
