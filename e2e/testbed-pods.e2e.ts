import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasCondition, type LiveNamespace, type LiveObject, openNamespace } from './fixtures/live-namespace.ts'

let namespace: LiveNamespace

beforeAll(async () => {
  namespace = await openNamespace(`testbed-pods-${process.pid}`)
})

afterAll(() => namespace.close())

describe('simulated Pods', () => {
  it('run, become ready and make their Deployment available', async () => {
    await namespace.create('apps/v1', 'deployments', {
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: podTemplate({ app: 'web' }) },
    })
    await namespace.until('apps/v1', 'deployments/web', (web) => web.status['availableReplicas'] === 2)
  })

  it('complete when a Job owns them', async () => {
    await createJob('fine', {})
    await namespace.until('batch/v1', 'jobs/fine', (job) => hasCondition(job, 'Complete'))
  })

  it('fail their Job when told so', async () => {
    await createJob('bad', { 'lading.dev/simulate': 'job-fail' })
    await namespace.until('batch/v1', 'jobs/bad', (job) => hasCondition(job, 'Failed'))
  })

  it('never complete when told to hang', async () => {
    await createJob('hang', { 'lading.dev/simulate': 'hang' })
    await namespace.until('batch/v1', 'jobs/hang', (job) => job.status['ready'] === 1)
    const { items } = (
      await namespace.api.request('GET', `/api/v1/namespaces/${namespace.name}/pods?labelSelector=job-name=hang`)
    ).json as { items: LiveObject[] }
    expect(items.map((pod) => pod.status['phase'])).toEqual(['Running'])
  })

  it('crash again and again', async () => {
    await createPod('crash', 'crash-loop')
    await namespace.until('v1', 'pods/crash', (pod) => waitingReason(pod) === 'CrashLoopBackOff' && restarts(pod) >= 3)
  })

  it('cannot pull their image', async () => {
    await createPod('pull', 'image-pull-error')
    await namespace.until('v1', 'pods/pull', (pod) => waitingReason(pod) === 'ImagePullBackOff')
  })

  it('run without becoming ready', async () => {
    await createPod('unready', 'unready')
    const pod = await namespace.until('v1', 'pods/unready', ({ status }) => status['phase'] === 'Running')
    expect(hasCondition(pod, 'Ready', 'False')).toBe(true)
  })

  it('stay Pending on their node', async () => {
    await createPod('pending', 'pending')
    const pod = await namespace.until('v1', 'pods/pending', (pod) => hasCondition(pod, 'PodScheduled'))
    expect(pod.status['phase']).toBe('Pending')
  })

  it('do not go away when told so, until they are deleted without grace', async () => {
    await createPod('stays', 'never-terminates')
    await namespace.until('v1', 'pods/stays', (pod) => hasCondition(pod, 'Ready'))
    const path = `/api/v1/namespaces/${namespace.name}/pods/stays`
    await namespace.api.request('DELETE', path)
    await namespace.until('v1', 'pods/stays', ({ metadata }) => metadata['deletionTimestamp'] !== undefined)
    await namespace.api.request('DELETE', `${path}?gracePeriodSeconds=0`)
    await expect.poll(async () => (await namespace.api.request('GET', path)).status).toBe(404)
  })

  it('have logs', async () => {
    await createPod('talks')
    await namespace.until('v1', 'pods/talks', (pod) => hasCondition(pod, 'Ready'))
    const { text } = await namespace.api.request('GET', `/api/v1/namespaces/${namespace.name}/pods/talks/log`)
    expect(text).toContain('listening on :8080')
  })
})

async function createPod(name: string, simulate?: string): Promise<void> {
  const annotations = simulate === undefined ? {} : { 'lading.dev/simulate': simulate }
  await namespace.create('v1', 'pods', { kind: 'Pod', metadata: { name, annotations }, spec: podTemplate({}).spec })
}

async function createJob(name: string, labels: Record<string, string>): Promise<void> {
  const template = podTemplate(labels)
  await namespace.create('batch/v1', 'jobs', {
    kind: 'Job',
    metadata: { name },
    spec: { backoffLimit: 0, template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } },
  })
}

function podTemplate(labels: Record<string, string>): { metadata: object; spec: object } {
  return { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'registry.example/main:1' }] } }
}

function waitingReason(pod: LiveObject): string | undefined {
  return pod.status.containerStatuses?.[0]?.state.waiting?.reason
}

function restarts(pod: LiveObject): number {
  return pod.status.containerStatuses?.[0]?.restartCount ?? 0
}
