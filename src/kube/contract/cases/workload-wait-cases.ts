import assert from 'node:assert/strict'
import { type KubeObject, refOf } from '../../../core/index.ts'
import { patchObject } from '../../apply/patch.ts'
import { create, deployment } from '../fixtures/fixtures.ts'
import { statusOf } from '../fixtures/follow-events.ts'
import { type CaseContext, type ContractCase, contractCase } from '../harness.ts'
import {
  beginWait,
  condition,
  firstObject,
  readyPod,
  recordEvent,
  remove,
  unmanagedJob,
  unscheduledPod,
  waitingPod,
  writeStatus,
} from '../fixtures/wait-fixtures.ts'

/** Waiting for Jobs, Pods and Deployments, which end and fail in ways of their own. */
export const workloadWaitCases: readonly ContractCase[] = [
  contractCase('wait: a Job is ready when it is complete', async (c) => {
    const job = await unmanagedJob(c, 'work')
    const wait = beginWait(c, [job])
    await wait.saw(statusOf('work', 'InProgress', 'not started'))
    await finishJob(c, job, 'Complete')
    await wait.result
  }),
  contractCase('wait: a failed Job fails for its own reason', async (c) => {
    const job = await unmanagedJob(c, 'work')
    const wait = beginWait(c, [job])
    await wait.saw(statusOf('work', 'InProgress'))
    await finishJob(c, job, 'Failed')
    const { objects } = await wait.error('wait.failed')
    assert.deepEqual(
      objects.map(({ reason, message }) => [reason, message]),
      [['BackoffLimitExceeded', 'too often']],
    )
  }),
  contractCase('wait: a Job that was removed after it completed counts as done', async (c) => {
    const job = await unmanagedJob(c, 'work')
    await finishJob(c, job, 'Complete')
    await remove(c, job)
    // The wait begins late: it sees what happened since the Job was created.
    await beginWait(c, [job]).result
  }),
  contractCase('wait: a Job that was removed before it ended has failed', async (c) => {
    const job = await unmanagedJob(c, 'work')
    const wait = beginWait(c, [job])
    await wait.saw(statusOf('work', 'InProgress'))
    await remove(c, job)
    const { objects } = await wait.error('wait.failed')
    assert.equal(objects[0]?.reason, 'Deleted')
  }),
  contractCase(
    'wait: an image that cannot be pulled fails its Job at once, naming the pod and its events',
    async (c) => {
      const job = await unmanagedJob(c, 'work')
      const wait = beginWait(c, [job], { failGraceMs: 0 })
      await wait.saw(statusOf('work', 'InProgress'))
      const pod = await unscheduledPod(c, 'work-x', job)
      await recordEvent(c, pod, 'Failed', 'no such image')
      await writeStatus(c, pod, waitingPod('ImagePullBackOff', 'Back-off pulling image'))
      const { message, objects } = await wait.error('wait.failed')
      assert.match(message, /pod work-x: container main is in ImagePullBackOff: Back-off pulling image/)
      const [diagnosis] = objects[0]?.pods ?? []
      assert.equal(diagnosis?.ref.name, 'work-x')
      assert.equal(diagnosis.container, 'main')
      assert.deepEqual(
        diagnosis.events.map((event) => event.message),
        ['no such image'],
      )
    },
  ),
  contractCase('wait: a Job with retries left is not failed by a crashing pod', async (c) => {
    const job = await unmanagedJob(c, 'work')
    const pod = await unscheduledPod(c, 'work-x', job)
    await writeStatus(c, pod, waitingPod('CrashLoopBackOff', '', 2))
    const wait = beginWait(c, [job])
    await writeStatus(c, job, { startTime: '2026-01-01T00:00:00Z', active: 1 })
    await wait.saw(statusOf('work', 'InProgress', '1 active'))
    await finishJob(c, job, 'Complete')
    await wait.result
  }),
  contractCase('wait: a crash-looping pod fails and tells how it exited', async (c) => {
    const pod = await unscheduledPod(c, 'web')
    const wait = beginWait(c, [pod])
    await wait.saw(statusOf('web', 'InProgress'))
    await writeStatus(c, pod, waitingPod('CrashLoopBackOff', '', 4))
    const { objects } = await wait.error('wait.failed')
    assert.equal(objects[0]?.reason, 'CrashLoopBackOff')
    assert.match(objects[0].message, /exited with code 3/)
  }),
  contractCase('wait: a crash-looping pod is given as many restarts as are allowed', async (c) => {
    const pod = await unscheduledPod(c, 'web')
    await writeStatus(c, pod, waitingPod('CrashLoopBackOff', '', 2))
    const wait = beginWait(c, [refOf(pod)], { allowedRestarts: 3 })
    await wait.saw(statusOf('web', 'InProgress', 'CrashLoopBackOff'))
    await writeStatus(c, pod, readyPod)
    await wait.result
  }),
  contractCase('wait: a missing Secret is given time to come', async (c) => {
    const pod = await unscheduledPod(c, 'web')
    await writeStatus(c, pod, waitingPod('CreateContainerConfigError', 'secret "x" not found'))
    const wait = beginWait(c, [refOf(pod)])
    await wait.saw(statusOf('web', 'InProgress', 'secret "x" not found'))
    await writeStatus(c, pod, readyPod)
    await wait.result
  }),
  contractCase('wait: a missing Secret that does not come fails', async (c) => {
    const pod = await unscheduledPod(c, 'web')
    await writeStatus(c, pod, waitingPod('CreateContainerConfigError', 'secret "x" not found'))
    const wait = beginWait(c, [refOf(pod)], { failGraceMs: 300 })
    const { objects } = await wait.error('wait.failed')
    assert.equal(objects[0]?.reason, 'CreateContainerConfigError')
  }),
  contractCase('wait: a pod that no node takes is a warning, not a failure', async (c) => {
    const pod = await unscheduledPod(c, 'web')
    const unscheduled = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' }
    await writeStatus(c, pod, { phase: 'Pending', conditions: [unscheduled] })
    const wait = beginWait(c, [refOf(pod)])
    await wait.saw((event) => event.type === 'warning' && event.message.includes('0/3 nodes'))
    await writeStatus(c, pod, readyPod)
    await wait.result
    assert.equal(wait.events.filter((event) => event.type === 'warning').length, 1)
  }),
  contractCase('wait: until completed, a running pod is not enough', async (c) => {
    const pod = await unscheduledPod(c, 'hook')
    await writeStatus(c, pod, readyPod)
    const wait = beginWait(c, [refOf(pod)], { until: 'Completed' })
    await wait.saw(statusOf('hook', 'InProgress', 'not completed'))
    await writeStatus(c, pod, { phase: 'Succeeded' })
    await wait.result
  }),
  contractCase(
    'wait: a crash-looping pod fails its Deployment long before the deadline, one of an old revision does not',
    async (c) => {
      const pods = { group: '', version: 'v1', kind: 'Pod' }
      const object = await create(c, unscheduledDeployment(c, 'web', 'example.invalid/web:1'))
      const old = await firstObject(c, pods, (pod) => pod.metadata.name.startsWith('web-'))
      await writeStatus(c, old, waitingPod('CrashLoopBackOff', '', 5))
      const crash = beginWait(c, [refOf(object)])
      assert.match((await crash.error('wait.failed')).message, /web-.*CrashLoopBackOff: exited with code 3/)

      const image = [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'example.invalid/web:2' }]
      const changed = await patchObject(c.cluster, refOf(object), image, { type: 'json' }, c.ctx)
      const wait = beginWait(c, [changed])
      const hash = old.metadata.labels?.['pod-template-hash']
      const fresh = await firstObject(c, pods, (pod) => pod.metadata.labels?.['pod-template-hash'] !== hash)
      await writeStatus(c, old, waitingPod('CrashLoopBackOff', '', 6))
      await wait.saw(statusOf('web', 'InProgress', '0 of 1 replica available'))
      await writeStatus(c, fresh, { ...readyPod, conditions: [{ ...condition('Ready', 'True') }] })
      await wait.result
    },
  ),
]

function unscheduledDeployment(c: CaseContext, name: string, image: string): KubeObject {
  const object = deployment(c, name)
  const labels = { app: name }
  return {
    ...object,
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      // One pod more may be there, so that the new one is made beside the old.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels },
        spec: { schedulerName: 'nobody', containers: [{ name: 'main', image }] },
      },
    },
  }
}

async function finishJob(c: CaseContext, job: KubeObject, how: 'Complete' | 'Failed'): Promise<void> {
  const startTime = '2026-01-01T00:00:00Z'
  const facts = { lastProbeTime: startTime }
  const done =
    how === 'Complete'
      ? {
          succeeded: 1,
          completionTime: '2026-01-01T00:00:01Z',
          conditions: [condition('SuccessCriteriaMet', 'True', facts), condition('Complete', 'True', facts)],
        }
      : {
          failed: 1,
          conditions: ['FailureTarget', 'Failed'].map((type) =>
            condition(type, 'True', { ...facts, reason: 'BackoffLimitExceeded', message: 'too often' }),
          ),
        }
  await writeStatus(c, job, { startTime, active: 0, ready: 0, terminating: 0, uncountedTerminatedPods: {}, ...done })
}
