import { type Clock, context, isLadingError, type LadingEvent, type WaitedObject } from '../../../core/index.ts'
import { followEvents, type Followed, statusOf } from '../../contract/fixtures/follow-events.ts'
import { type WatchedCluster, watchedCluster } from '../../testing/watched-cluster.ts'
import type { WaitTarget } from '../tracked-object.ts'
import { waitForReady, type WaitOptions, type WaitResult } from '../wait-for-ready.ts'

interface Failure {
  readonly code: string
  readonly message: string
  readonly objects: readonly WaitedObject[]
}

/** A wait under way, and what a test asks of it. */
interface BegunWait extends Followed<WaitResult> {
  readonly failure: Promise<Failure>
  told(name: string, status: string, text?: string): Promise<LadingEvent>
  /** Lets everything that is under way come to rest. */
  quiet(): Promise<void>
}

/** Begins to wait for objects of a cluster. */
export function begin(
  cluster: WatchedCluster,
  clock: Clock,
  targets: readonly WaitTarget[],
  options: WaitOptions = {},
): BegunWait {
  const followed = followEvents(waitForReady(cluster, targets, options, context({ clock })))
  const failure = followed.result.then(
    (): Failure => {
      throw new Error(`the wait did not fail: ${JSON.stringify(followed.events)}`)
    },
    (error: unknown): Failure => {
      if (!isLadingError(error)) throw error
      return { code: error.code, message: error.message, objects: error.details.objects as WaitedObject[] }
    },
  )
  failure.catch(() => undefined)
  return {
    ...followed,
    failure,
    told: (name, status, text) => followed.saw(statusOf(name, status, text)),
    quiet: async () => {
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

/** A cluster that serves what the tests of waiting put into it. */
export function waitedCluster(): WatchedCluster {
  return watchedCluster(
    '/v1/Pod/pods',
    '/v1/Event/events',
    '/v1/ConfigMap/configmaps',
    'apps/v1/Deployment/deployments',
    'apps/v1/ReplicaSet/replicasets',
    'apps/v1/StatefulSet/statefulsets',
    'apps/v1/DaemonSet/daemonsets',
    'apps/v1/ControllerRevision/controllerrevisions',
    'batch/v1/Job/jobs',
    'example.com/v1/Widget/widgets',
    'apiextensions.k8s.io/v1/CustomResourceDefinition/customresourcedefinitions*',
  )
}
