import type { BuildOutputs, BuildPlan } from '../build/build-plan.ts'
import type { JobRequest, NewJob } from '../jobs/job.ts'

const plan: BuildPlan = {
  component_id: 'shop',
  component_build_id: 'shop-1',
  folder: '/',
  dst_registry: 'oci://registry.example/shop',
  dst_tag: 'v1',
  kubernetes_manifest_build_plan: { labels: {}, source_type: 'inline', probes: [], inline_manifest: 'deploy.yaml' },
}

/** What a build may leave. */
export const built: BuildOutputs = {
  artifact: 'oci://registry.example/shop@sha256:0',
  digest: 'sha256:0',
  tag: 'v1',
  signed: false,
  encrypted: false,
  metadata: {},
  objects: [],
}

/** A build with nothing special but for what is given; facts of `plan` are added to a plan that is valid. */
export function newJob(job: Partial<JobRequest> & { readonly plan?: object } = {}): NewJob<'build'> {
  const { plan: more, ...rest } = job
  const type = 'kubernetes-manifest-build'
  return { type, operation: 'build', group: 'shop', timeoutMs: 1e9, ...rest, plan: { ...plan, ...more } }
}
