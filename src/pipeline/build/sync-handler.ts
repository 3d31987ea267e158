import { copy, formatReference, parseReference } from '../../oci/index.ts'
import { jobOf } from '../jobs/job.ts'
import type { JobHandler } from '../jobs/run-job.ts'
import type { PipelineServices } from '../services.ts'
import { verifyDemands } from '../verify-demands.ts'

/** Copies an artifact from one registry to another, skipping what is there. */
export function syncHandler(services: PipelineServices): JobHandler {
  return (job) => {
    const { plan } = jobOf(job, 'sync')
    let digest = ''
    return {
      execute: async function* (ctx) {
        const how = { access: plan.registry_access }
        const source = services.open(parseReference(plan.src_registry), how)
        const target = services.open(parseReference(plan.dst_registry), how)
        try {
          // What was verified is what is copied, also where the tag moves in between.
          const found = await source.resolve(plan.src_tag, ctx)
          await verifyDemands(source, found, [plan.trust, { verify_keys: services.verifyKeys }], ctx)
          digest = (yield* copy(source, found.digest, target, plan.dst_tag, { referrers: true }, ctx)).descriptor.digest
        } finally {
          await Promise.all([source.close(), target.close()])
        }
      },
      outputs: () => {
        const { registry, repository } = parseReference(plan.dst_registry)
        return Promise.resolve({ digest, artifact: formatReference({ registry, repository, digest }) })
      },
    }
  }
}
