import { buildHandler } from './build/build-handler.ts'
import { syncHandler } from './build/sync-handler.ts'
import { deployHandler } from './deploy/deploy-handler.ts'
import type { JobHandlers } from './jobs/run-job.ts'
import type { PipelineServices } from './services.ts'

/** Everything that a runner can do. */
export function pipelineHandlers(services: PipelineServices): JobHandlers {
  return {
    'kubernetes-manifest-build': buildHandler(services),
    'oci-sync': syncHandler(services),
    // Without a cluster, deploys are left to runners that have one.
    ...(services.engine === undefined ? {} : { 'kubernetes-manifest-deploy': deployHandler(services) }),
  }
}
