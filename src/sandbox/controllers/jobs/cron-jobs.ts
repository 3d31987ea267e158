import { defined, type KubeObject, stringifyJson } from '../../../core/index.ts'
import { StatusError } from '../../status-error.ts'
import { number, partOf, text } from '../../object-parts.ts'
import { isTrue } from '../conditions.ts'
import { type Controller, type ControllerEnv, controllerKey, type Key, ownKey } from '../controller.ts'
import { parseSchedule, zoneOffset } from './cron-schedule.ts'
import { recordEvent } from '../events.ts'
import { isFinished } from './jobs.ts'
import { controllerRef } from '../pods/pod-factory.ts'
import { createAs, deleteAs, setStatus } from '../writes.ts'

const collection = 'batch/cronjobs'
const component = 'cronjob-controller'
const manager = 'kube-controller-manager'

/** Makes a Job whenever a CronJob's time has come, by the sandbox's clock. */
export const cronJobController: Controller = {
  name: 'cronjob',
  watches: { [collection]: ownKey, 'batch/jobs': controllerKey('CronJob') },
  reconcile: (key, env) => {
    const cron = env.backend.store.get(collection, key.namespace, key.name)
    if (cron === undefined || cron.metadata.deletionTimestamp !== undefined) return
    const jobs = env.index.controlled(cron, 'batch/jobs')
    const scheduled = schedule(cron, key, jobs, env)
    trimHistory(cron, jobs, env)
    writeStatus(cron, scheduled, env)
  },
}

/** Makes the Job that is due; says when it was. */
function schedule(cron: KubeObject, key: Key, jobs: readonly KubeObject[], env: ControllerEnv): number | undefined {
  const spec = partOf(cron, 'spec')
  if (spec['suspend'] === true) return undefined
  const now = env.backend.clock.now()
  const zone = text(spec['timeZone'])
  const times = parseSchedule(text(spec['schedule']), zone === '' ? 0 : zoneOffset(zone, now))
  if (times === undefined) {
    const message = `unparseable schedule: ${stringifyJson(spec['schedule'])}`
    recordEvent(env.backend, component, cron, { type: 'Warning', reason: 'UnparseableSchedule', message })
    return undefined
  }
  const last = text(partOf(cron, 'status')['lastScheduleTime']) || text(cron.metadata.creationTimestamp)
  let due: number | undefined
  // Of the times that were missed only the last one counts.
  for (let at = times.next(Date.parse(last)); at !== undefined && at <= now; at = times.next(at)) due = at
  const next = times.next(now)
  if (next !== undefined) env.after(next - now, key)
  if (due === undefined) return undefined
  const deadline = spec['startingDeadlineSeconds']
  if (typeof deadline === 'number' && now - due > deadline * 1000) return undefined
  const active = jobs.filter((job) => !isFinished(job))
  if (active.length > 0 && spec['concurrencyPolicy'] === 'Forbid') return undefined
  if (spec['concurrencyPolicy'] === 'Replace') for (const job of active) deleteAs(env.backend, job)
  createJob(cron, due, env)
  return due
}

function createJob(cron: KubeObject, due: number, env: ControllerEnv): void {
  const template = partOf(cron, 'spec', 'jobTemplate')
  const metadata = partOf(template, 'metadata')
  const name = `${cron.metadata.name}-${Math.floor(due / 60_000)}`
  const scheduledAt = `${new Date(due).toISOString().slice(0, 19)}Z`
  try {
    createAs(env.backend, manager, {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        name,
        namespace: cron.metadata.namespace ?? '',
        labels: partOf(metadata, 'labels') as Record<string, string>,
        annotations: {
          ...(partOf(metadata, 'annotations') as Record<string, string>),
          'batch.kubernetes.io/cronjob-scheduled-timestamp': scheduledAt,
        },
        ownerReferences: [controllerRef(cron)],
      },
      spec: partOf(template, 'spec'),
    })
    const message = `Created job ${name}`
    recordEvent(env.backend, component, cron, { type: 'Normal', reason: 'SuccessfulCreate', message })
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    if (error.reason === 'AlreadyExists') return
    const message = `Error creating job: ${error.message}`
    recordEvent(env.backend, component, cron, { type: 'Warning', reason: 'FailedCreate', message })
  }
}

function trimHistory(cron: KubeObject, jobs: readonly KubeObject[], env: ControllerEnv): void {
  const spec = partOf(cron, 'spec')
  const trim = (condition: string, limit: number): void => {
    const ended = jobs.filter((job) => isTrue(job, condition) && job.metadata.deletionTimestamp === undefined)
    const oldestFirst = ended.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    for (const job of oldestFirst.slice(0, Math.max(0, ended.length - limit))) deleteAs(env.backend, job)
  }
  trim('Complete', number(spec['successfulJobsHistoryLimit'], 3))
  trim('Failed', number(spec['failedJobsHistoryLimit'], 1))
}

function writeStatus(cron: KubeObject, scheduled: number | undefined, env: ControllerEnv): void {
  const jobs = env.index.controlled(cron, 'batch/jobs')
  const before = partOf(cron, 'status')
  const active = jobs
    .filter((job) => !isFinished(job))
    .map(({ apiVersion, kind, metadata: { name, namespace, uid, resourceVersion } }) => {
      return { apiVersion, kind, name, namespace, uid, resourceVersion }
    })
  const ends = jobs.map((job) => text(partOf(job, 'status')['completionTime'])).filter((time) => time !== '')
  const status = defined({
    active: active.length === 0 ? undefined : keepKnown(active, before['active']),
    lastScheduleTime:
      scheduled === undefined ? before['lastScheduleTime'] : `${new Date(scheduled).toISOString().slice(0, 19)}Z`,
    lastSuccessfulTime: [...ends, text(before['lastSuccessfulTime'])].sort().at(-1) || undefined,
  })
  if (Object.keys(status).length > 0 || Object.keys(before).length > 0) setStatus(env.backend, manager, cron, status)
}

// A reference is written once; that its Job has changed since is no news.
function keepKnown(active: { uid: string | undefined }[], before: unknown): unknown[] {
  const known = Array.isArray(before) ? (before as Record<string, unknown>[]) : []
  return active.map((one) => known.find((other) => other['uid'] === one.uid) ?? one)
}
