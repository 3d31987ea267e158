import { partOf } from '../../object-parts.ts'
import type { Complete } from '../family.ts'
import { ensurePart, fill, type Part } from '../read.ts'

/** Defaults of what runs pods. */
export const workloadDefaults: Readonly<Record<string, Complete>> = {
  'apps.v1.Deployment': completeDeployment,
  'apps.v1.DaemonSet': completeDaemonSet,
  'apps.v1.StatefulSet': completeStatefulSet,
  'apps.v1.ReplicaSet': (object) => fill(ensurePart(object, 'spec'), { replicas: 1 }),
  'core.v1.ReplicationController': completeController,
  'batch.v1.Job': completeJob,
  'batch.v1.CronJob': (object) =>
    fill(ensurePart(object, 'spec'), {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    }),
  'batch.v1.PodFailurePolicyOnPodConditionsPattern': (pattern) => fill(pattern, { status: 'True' }),
}

function completeDeployment(object: Part): void {
  const spec = ensurePart(object, 'spec')
  fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 })
  const strategy = ensurePart(spec, 'strategy')
  fill(strategy, { type: 'RollingUpdate' })
  if (strategy['type'] === 'RollingUpdate') {
    fill(ensurePart(strategy, 'rollingUpdate'), { maxUnavailable: '25%', maxSurge: '25%' })
  }
}

function completeDaemonSet(object: Part): void {
  const spec = ensurePart(object, 'spec')
  fill(spec, { revisionHistoryLimit: 10 })
  const strategy = ensurePart(spec, 'updateStrategy')
  fill(strategy, { type: 'RollingUpdate' })
  if (strategy['type'] === 'RollingUpdate') {
    fill(ensurePart(strategy, 'rollingUpdate'), { maxUnavailable: 1, maxSurge: 0 })
  }
}

function completeStatefulSet(object: Part): void {
  const spec = ensurePart(object, 'spec')
  fill(spec, { podManagementPolicy: 'OrderedReady', replicas: 1, revisionHistoryLimit: 10 })
  const strategy = ensurePart(spec, 'updateStrategy')
  if (strategy['type'] === undefined) {
    strategy['type'] = 'RollingUpdate'
    ensurePart(strategy, 'rollingUpdate')
  }
  if (strategy['type'] === 'RollingUpdate' && strategy['rollingUpdate'] !== undefined) {
    fill(partOf(strategy, 'rollingUpdate'), { partition: 0 })
  }
  fill(ensurePart(spec, 'persistentVolumeClaimRetentionPolicy'), { whenDeleted: 'Retain', whenScaled: 'Retain' })
  const claims = spec['volumeClaimTemplates']
  if (Array.isArray(claims)) for (const claim of claims as Part[]) completeClaimTemplate(claim)
}

function completeClaimTemplate(claim: Part): void {
  fill(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' })
}

function completeController(object: Part): void {
  const spec = ensurePart(object, 'spec')
  fill(spec, { replicas: 1 })
  const { labels } = partOf(spec, 'template', 'metadata') as { labels?: Part }
  if (labels === undefined) return
  fill(spec, { selector: { ...labels } })
  fill(ensurePart(object, 'metadata'), { labels: { ...labels } })
}

function completeJob(object: Part): void {
  const spec = ensurePart(object, 'spec')
  if (spec['parallelism'] === undefined) fill(spec, { completions: 1 })
  fill(spec, {
    parallelism: 1,
    backoffLimit: spec['backoffLimitPerIndex'] === undefined ? 6 : 2 ** 31 - 1,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed',
    manualSelector: false,
  })
  const { labels } = partOf(spec, 'template', 'metadata') as { labels?: Part }
  // The very map: what the server then adds to the template's labels is the Job's too, as with the API server.
  if (labels !== undefined) fill(ensurePart(object, 'metadata'), { labels })
}
