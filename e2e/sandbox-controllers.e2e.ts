import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { context, isRecord, type KubeObject } from '../src/core/index.ts'
import { type Cluster, connect } from '../src/kube/index.ts'
import { type Sandbox, startSandbox } from '../src/sandbox/index.ts'

const ctx = context()
const namespace = `controllers-${randomBytes(4).toString('hex')}`
const apps = `/apis/apps/v1/namespaces/${namespace}`
const batch = `/apis/batch/v1/namespaces/${namespace}`
const core = `/api/v1/namespaces/${namespace}`

/** One thing that is done to both clusters; afterwards the same objects must be there. */
interface Step {
  readonly name: string
  readonly write: (cluster: Cluster) => Promise<unknown>
  /** The object whose status tells that the step is over. */
  readonly path: string
  readonly done: (object: KubeObject) => boolean
  /** Lists whose objects are compared then. */
  readonly compare: readonly string[]
}

describe('controllers of the sandbox and of a real control plane', () => {
  let sandbox: Sandbox
  let real: Cluster & { close(): Promise<void> }
  let embedded: Cluster & { close(): Promise<void> }

  beforeAll(async () => {
    real = await connect({ kubeconfig: inject('kubeconfig') }, ctx)
    // As many nodes as there are, for DaemonSets.
    const nodes = await items(real, '/api/v1/nodes')
    sandbox = await startSandbox({ nodes: nodes.length })
    embedded = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
    for (const cluster of [real, embedded]) {
      await post(cluster, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
      await settled(cluster, `${core}/serviceaccounts/default`, () => true)
    }
  })

  afterAll(async () => {
    await real.transport.request({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` }, ctx)
    await real.close()
    await embedded.close()
    await sandbox.stop()
  })

  it.each(steps())('agree after: $name', async ({ write, path, done, compare }) => {
    const clusters = [real, embedded]
    await Promise.all(
      clusters.map(async (cluster) => {
        await write(cluster)
        await settled(cluster, path, done)
      }),
    )
    const look = async (cluster: Cluster): Promise<unknown> =>
      Promise.all(
        compare.map(async (list) => {
          const objects = await items(cluster, list)
          return objects.map((object) => comparable(object, list.includes('/pods'))).sort(byText)
        }),
      )
    // What follows from the last change (old Pods that go, counts that follow them) takes as long as it takes.
    await vi.waitFor(
      async () => {
        const [theirs, ours] = await Promise.all(clusters.map(look))
        expect(ours).toEqual(theirs)
      },
      { timeout: 30_000, interval: 200 },
    )
  })
})

function steps(): Step[] {
  return [...deploymentSteps(), ...otherSteps(), ...jobSteps()]
}

function deploymentSteps(): Step[] {
  const path = `${apps}/deployments/web`
  const label = 'labelSelector=app%3Dweb'
  const compare = [`${apps}/deployments`, `${apps}/replicasets?${label}`, `${core}/pods?${label}`]
  const done = (object: KubeObject): boolean => {
    const {
      replicas,
      updatedReplicas,
      availableReplicas = 0,
      observedGeneration,
      terminatingReplicas,
    } = statusOf(object)
    const wanted = specOf(object)['replicas']
    const counts = [replicas, updatedReplicas, availableReplicas].every((count) => count === wanted)
    return counts && observedGeneration === object.metadata.generation && terminatingReplicas === 0
  }
  const step = (name: string, spec: Record<string, unknown>, over = done): Step => {
    return { name, write: (cluster) => patch(cluster, path, { spec }), path, done: over, compare }
  }
  const image = (tag: string): Record<string, unknown> => ({
    template: { metadata: { annotations: { tag } }, spec: { containers: [{ name: 'main', image: `app:${tag}` }] } },
  })
  return [
    {
      name: 'a Deployment is created',
      write: (cluster) => post(cluster, `${apps}/deployments`, workload('Deployment', 'web', { replicas: 3 })),
      path,
      done,
      compare,
    },
    step('its image changes', image('2')),
    step('its image changes back', image('1')),
    step('it is scaled up', { replicas: 5 }),
    step('it is paused and its image changes', { paused: true, ...image('3') }, (object) =>
      conditions(object).some(({ reason }) => reason === 'DeploymentPaused'),
    ),
    step('it is resumed', { paused: false }),
    step('it is recreated with another image', { strategy: { type: 'Recreate', rollingUpdate: null }, ...image('4') }),
    step('it keeps fewer revisions', { revisionHistoryLimit: 1 }),
    step('it is scaled to nothing', { replicas: 0 }, (object) => statusOf(object)['replicas'] === undefined),
  ]
}

function otherSteps(): Step[] {
  const set = `${apps}/statefulsets/db`
  const ready = (object: KubeObject): boolean => {
    const { readyReplicas, currentRevision, updateRevision, observedGeneration, updatedReplicas } = statusOf(object)
    const rolled = currentRevision === updateRevision && updatedReplicas === specOf(object)['replicas']
    return readyReplicas === specOf(object)['replicas'] && rolled && observedGeneration === object.metadata.generation
  }
  const sets = [`${apps}/statefulsets`, `${core}/pods?labelSelector=app%3Ddb`]
  const placed = (object: KubeObject): boolean => {
    const { numberAvailable, desiredNumberScheduled, updatedNumberScheduled, observedGeneration } = statusOf(object)
    const all = numberAvailable === desiredNumberScheduled && updatedNumberScheduled === desiredNumberScheduled
    return all && observedGeneration === object.metadata.generation
  }
  const agents = [`${apps}/daemonsets`, `${core}/pods?labelSelector=app%3Dagent`]
  const newImage = { template: { spec: { containers: [{ name: 'main', image: 'app:2' }] } } }
  return [
    {
      name: 'a StatefulSet is created',
      write: (cluster) =>
        post(cluster, `${apps}/statefulsets`, workload('StatefulSet', 'db', { replicas: 2, serviceName: 'db' })),
      path: set,
      done: ready,
      compare: sets,
    },
    {
      name: 'a StatefulSet gets another image',
      write: (cluster) => patch(cluster, set, { spec: newImage }),
      path: set,
      done: ready,
      compare: sets,
    },
    {
      name: 'a StatefulSet gets another image for its last Pod only',
      write: (cluster) =>
        patch(cluster, set, {
          spec: {
            updateStrategy: { rollingUpdate: { partition: 1 } },
            template: { spec: { containers: [{ name: 'main', image: 'app:3' }] } },
          },
        }),
      path: set,
      done: (object) => statusOf(object)['updatedReplicas'] === 1 && statusOf(object)['readyReplicas'] === 2,
      compare: sets,
    },
    {
      name: 'a DaemonSet is created',
      write: (cluster) => post(cluster, `${apps}/daemonsets`, workload('DaemonSet', 'agent', {})),
      path: `${apps}/daemonsets/agent`,
      done: placed,
      compare: agents,
    },
    {
      name: 'a DaemonSet gets another image',
      write: (cluster) => patch(cluster, `${apps}/daemonsets/agent`, { spec: newImage }),
      path: `${apps}/daemonsets/agent`,
      done: placed,
      compare: agents,
    },
    {
      name: 'a budget is set on Pods',
      write: (cluster) =>
        post(cluster, `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`, {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata: { name: 'db' },
          spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'db' } } },
        }),
      path: `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets/db`,
      done: (object) => statusOf(object)['currentHealthy'] === 2,
      compare: [`/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`],
    },
    {
      name: 'a Service selects Pods',
      write: (cluster) =>
        post(cluster, `${core}/services`, {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'db' },
          spec: { selector: { app: 'db' }, ports: [{ name: 'sql', port: 5432, targetPort: 5433 }] },
        }),
      path: `${core}/endpoints/db`,
      done: (object) => /^(?!.*notReady).*db-1/.test(JSON.stringify(object['subsets'] ?? '')),
      compare: [`/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`, `${core}/endpoints`],
    },
  ]
}

function jobSteps(): Step[] {
  const job = (name: string, spec: Record<string, unknown>): Step => ({
    name: `a Job: ${name}`,
    write: (cluster) =>
      post(cluster, `${batch}/jobs`, {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name },
        spec: {
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'app:1' }] } },
          ...spec,
        },
      }),
    path: `${batch}/jobs/${name}`,
    done: (object) => conditions(object).some(({ type }) => ['Complete', 'Failed', 'Suspended'].includes(type)),
    compare: [`${batch}/jobs?fieldSelector=metadata.name%3D${name}`],
  })
  return [
    job('once', {}),
    job('three-times', { completions: 3, parallelism: 2 }),
    job('by-index', { completions: 4, parallelism: 2, completionMode: 'Indexed' }),
    job('suspended', { suspend: true }),
  ]
}

function workload(kind: string, app: string, spec: Record<string, unknown>): Record<string, unknown> {
  const template = { metadata: { labels: { app } }, spec: { containers: [{ name: 'main', image: 'app:1' }] } }
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: app, annotations: { note: 'kept' } },
    spec: { selector: { matchLabels: { app } }, template, ...spec },
  }
}

async function settled(cluster: Cluster, path: string, done: (object: KubeObject) => boolean): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const object = await get(cluster, path)
    if (object !== undefined && done(object)) return
    await ctx.clock.sleep(50)
  }
  throw new Error(`${path} did not settle: ${JSON.stringify(await get(cluster, path))}`)
}

async function get(cluster: Cluster, path: string): Promise<KubeObject | undefined> {
  try {
    return (await cluster.transport.request({ method: 'GET', path }, ctx)).body as KubeObject
  } catch {
    return undefined
  }
}

async function items(cluster: Cluster, path: string): Promise<KubeObject[]> {
  const [at = '', query = ''] = path.split('?')
  const response = await cluster.transport.request(
    { method: 'GET', path: at, query: Object.fromEntries(new URLSearchParams(query)) },
    ctx,
  )
  return (response.body as { items: KubeObject[] }).items
}

async function post(cluster: Cluster, path: string, body: unknown): Promise<unknown> {
  return cluster.transport.request({ method: 'POST', path, body }, ctx)
}

async function patch(cluster: Cluster, path: string, body: unknown): Promise<unknown> {
  const contentType = 'application/strategic-merge-patch+json'
  return cluster.transport.request({ method: 'PATCH', path, body, contentType }, ctx)
}

/**
 * What must be the same: everything but identities, times, addresses and the names that come from hashes. Of Pods only what
 * controllers decide, as a kubelet and simulated nodes report differently.
 */
function byTarget(a: unknown, b: unknown): number {
  const nameOf = (endpoint: unknown): string => {
    const target = (endpoint as { targetRef?: { name?: string } }).targetRef
    return target?.name ?? ''
  }
  return nameOf(a).localeCompare(nameOf(b))
}

function comparable({ apiVersion: _, kind: __, ...object }: KubeObject, pod: boolean): unknown {
  const kept = pod ? { metadata: object.metadata, phase: statusOf(object)['phase'] } : object
  const size = object.metadata.ownerReferences?.[0]?.kind === 'Deployment'
  const text = JSON.stringify(kept, (key, value: unknown) => {
    if (dropped.has(key)) return undefined
    // In how many steps a ReplicaSet came to its size is a matter of time.
    if (size && (key === 'generation' || key === 'observedGeneration')) return undefined
    // By the Pod: addresses, which differ between clusters, are dropped only after this.
    return key === 'endpoints' && Array.isArray(value) ? value.toSorted(byTarget) : value
  })
  return JSON.parse(anonymous(text)) as unknown
}

const dropped = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'managedFields',
  'lastTransitionTime',
  'lastUpdateTime',
  'lastProbeTime',
  'startTime',
  'completionTime',
  'nodeName',
  'ip',
  'addresses',
  'controller-uid',
  'batch.kubernetes.io/controller-uid',
  'endpoints.kubernetes.io/last-change-trigger-time',
])

/** Hashes and random ends of names, by a word. */
function anonymous(text: string): string {
  return text
    .replaceAll(/\b(web|db|agent)-[bcdfghjklmnpqrstvwxz2456789]{8,10}-[a-z0-9]{5}\b/g, '$1-HASH-RANDOM')
    .replaceAll(/\b(web|db|agent)-[bcdfghjklmnpqrstvwxz2456789]{8,10}\b/g, '$1-HASH')
    .replaceAll(/\b(agent|db)-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '$1-RANDOM')
    .replaceAll(/("(?:pod-template-hash|controller-revision-hash)":)"[^"]*"/g, '$1"HASH"')
}

function byText(a: unknown, b: unknown): number {
  const [x, y] = [sortedJson(a), sortedJson(b)]
  return x === y ? 0 : x < y ? -1 : 1
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) =>
    isRecord(field) ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1))) : field,
  )
}

function statusOf(object: Record<string, unknown>): Record<string, unknown> {
  return isRecord(object['status']) ? object['status'] : {}
}

function specOf(object: KubeObject): Record<string, unknown> {
  return isRecord(object['spec']) ? object['spec'] : {}
}

function conditions(object: KubeObject): { type: string; reason: string }[] {
  const list = statusOf(object)['conditions']
  return Array.isArray(list) ? (list as { type: string; reason: string }[]) : []
}
