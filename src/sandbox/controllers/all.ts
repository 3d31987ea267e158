import type { Controller } from './controller.ts'
import { cronJobController } from './jobs/cron-jobs.ts'
import { daemonSetController } from './workloads/daemon-sets.ts'
import { deploymentController } from './workloads/deployments.ts'
import { disruptionController } from './workloads/disruption-budgets.ts'
import { garbageCollector } from './garbage-collector.ts'
import { jobController } from './jobs/jobs.ts'
import { kubelet } from './pods/kubelet.ts'
import { namespaceController } from './namespaces.ts'
import { replicaSetController } from './workloads/replica-sets.ts'
import { scheduler } from './pods/scheduler.ts'
import { serviceController } from './services.ts'
import { statefulSetController } from './workloads/stateful-sets.ts'
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
