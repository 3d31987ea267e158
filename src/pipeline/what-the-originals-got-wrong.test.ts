import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KubeObject, LadingError, type LadingEvent, stringifyJson } from '../core/index.ts'
import { type Cluster, createObject, getObject, type KubeRequest } from '../kube/index.ts'
import { packObjects, pushArtifact } from '../oci/index.ts'
import { planHash, readHistory } from '../release/index.ts'
import type { DeployPlan } from './deploy/deploy-plan.ts'
import { pipelineHandlers } from './handlers.ts'
import type { PlanOutputs } from './deploy/deploy-outputs.ts'
import type { DeployOperation } from './deploy/deploy-handler.ts'
import type { Job } from './jobs/job.ts'
import { job as newDeployJob } from './testdata/pipeline-jobs.ts'
import { runNow } from './jobs/run-now.ts'
import { interceptedCluster } from './testdata/intercepted-cluster.ts'
import { config, crd, ingress, job, pod } from './testdata/objects.ts'
import { openPipeline, type TestPipeline } from './testdata/open-pipeline.ts'

// By the numbers of the list in the reference notes; 1 and the rest of 2, 3 and 12 are shown by the tests of the pipeline, of pulling and of
// runners.
let line: TestPipeline

beforeAll(async () => {
  line = await openPipeline()
})
afterAll(() => line.close())

describe('the install runner', () => {
  it('2: deploys nothing without an artifact, and never a tag where the plan has a digest', async () => {
    await space('digest')
    await expect(run('create-apply-plan', 'digest', {})).rejects.toThrow('the deploy of app names no artifact')
    const digest = await push('digest', config('a', 'by digest'))
    await pushArtifact(line.open('digest'), await packObjects([config('a', 'by tag')]), 'v1', line.ctx)
    const { kubernetes_manifest: named } = artifactOf('digest', digest)
    const both = { namespace: 'digest', oci_artifact: { ...named!.oci_artifact!, tag: 'v1' } }
    await apply('digest', (await run('create-apply-plan', 'digest', { kubernetes_manifest: both })).outputs!)
    expect(await value('digest', 'a')).toBe('by digest')
  })

  it('4: remembers what it could not prune, and prunes it the next time', async () => {
    await space('prune')
    const both = await push('prune', config('a', '1'), config('b', '1'))
    await deploy('prune', both)
    const one = await push('prune', config('a', '2'))
    const planned = await plan('prune', one)
    const stuck = refusing(({ method, path }) => method === 'DELETE' && path.endsWith('/b'))
    await expect(apply('prune', planned, stuck)).rejects.toThrow(/forbidden/)
    const { inventory } = await readHistory(line.releases, { name: 'app', namespace: 'prune' }, line.ctx)
    expect(inventory.map(({ ref }) => ref.name).sort()).toEqual(['a', 'b'])
    await deploy('prune', one)
    expect(await value('prune', 'b')).toBeUndefined()
    expect(await value('prune', 'a')).toBe('2')
  })

  it('5: plans and applies a CRD with its custom resource, and a Namespace with its content, in one go', async () => {
    await space('together')
    const inside = { ...config('c', '1'), metadata: { name: 'c', namespace: 'together-inside' } }
    const widget: KubeObject = { apiVersion: 'example.org/v1', kind: 'Widget', metadata: { name: 'w' }, size: 1 }
    const made = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'together-inside' } }
    const planned = await plan('together', await push('together', widget, inside, made, crd()))
    expect(changes(planned).map(({ op }) => op)).toEqual(['create', 'create', 'create', 'create'])
    await apply('together', planned)
    expect(await value('together-inside', 'c')).toBe('1')
    const ref = { group: 'example.org', version: 'v1', kind: 'Widget', namespace: 'together', name: 'w' }
    expect(await getObject(line.cluster, ref, line.ctx)).toMatchObject({ size: 1 })
  })

  it('6: does not take what it may not read for what is not there', async () => {
    await space('reading')
    const pushed = await push('reading', config('a', '1'))
    await deploy('reading', pushed)
    const blind = refusing(({ method, path }) => method === 'GET' && path.includes('/configmaps'))
    await expect(run('create-apply-plan', 'reading', artifactOf('reading', pushed), blind)).rejects.toMatchObject({
      code: 'kube.forbidden',
    })
  })

  it('7: tells groups apart, compares a field that is named status, and lists by their keys', async () => {
    await space('diff')
    await deploy(
      'diff',
      await push('diff', ingress('a'), pod(['one', 'two']), { ...config('c', '1'), data: { status: 'old' } }),
    )
    const next = await push('diff', ingress('b'), pod(['two', 'one']), { ...config('c', '1'), data: { status: 'new' } })
    const found = changes(await plan('diff', next))
    const ofConfig = found.find(({ kind }) => kind === 'ConfigMap')
    expect(ofConfig?.entries).toEqual([{ path: '.data.status', original: 'old', applied: 'new', type: 'changed' }])
    expect(found.find(({ kind }) => kind === 'Ingress')).toMatchObject({ group: 'networking.k8s.io', op: 'update' })
    // The order of environment variables counts, their other fields do not change with it.
    expect(found.find(({ kind }) => kind === 'Pod')?.entries.map(({ path }) => path)).not.toContain(
      '.spec.containers[0].name',
    )
  })

  it('8: tears down in reverse order, waits, and does not mind what is gone already', async () => {
    await space('down')
    const made = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'down-inside' } }
    const inside = { ...config('c', '1'), metadata: { name: 'c', namespace: 'down-inside' } }
    await deploy('down', await push('down', made, inside, config('gone', '1')))
    const gone = { group: '', version: 'v1', kind: 'ConfigMap', namespace: 'down', name: 'gone' }
    await line.cluster.transport.request(
      { method: 'DELETE', path: '/api/v1/namespaces/down/configmaps/gone' },
      line.ctx,
    )
    const planned = (await run('create-teardown-plan', 'down', {})).outputs!
    const events: LadingEvent[] = []
    await apply('down', planned, line.cluster, events)
    const deleted = events.flatMap((event) =>
      event.type === 'object' && event.action === 'deleted' ? [event.ref.kind] : [],
    )
    expect(deleted).toEqual(['ConfigMap', 'Namespace'])
    expect(await getObject(line.cluster, gone, line.ctx)).toBeUndefined()
    const home = { group: '', version: 'v1', kind: 'Namespace', name: 'down-inside' }
    expect(await getObject(line.cluster, home, line.ctx)).toBeUndefined()
    // A runner that died after its last deletion has nothing left to do.
    expect((await apply('down', planned)).outputs).toMatchObject({ outcome: 'uninstalled', resumed: true })
  })

  it('9: shows no value of a Secret in plans, outputs, logs and events', async () => {
    await space('secrets')
    const secret = (token: string): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      stringData: { token },
    })
    const events: LadingEvent[] = []
    for (const token of ['correct-horse', 'battery-staple']) {
      const planned = await plan('secrets', await push('secrets', secret(token)))
      expect(changes(planned)[0]?.op).toMatch(/create|update/)
      await apply('secrets', planned, line.cluster, events)
    }
    const jobs = await line.jobs.list({ group: 'secrets' })
    const logs = await Promise.all(jobs.map(({ id }) => line.jobs.logs(id, 0)))
    const database = await readFile(join(line.folder, 'state', 'jobs.db'), 'latin1')
    const ahead = await readFile(join(line.folder, 'state', 'jobs.db-wal'), 'latin1')
    const all = stringifyJson([jobs, logs, events]) + database + ahead
    const spelled = ['correct-horse', 'battery-staple'].flatMap((text) => [text, Buffer.from(text).toString('base64')])
    expect(spelled.filter((text) => all.includes(text))).toEqual([])
  })

  it('10: replaces what is truly immutable, where the plan says so; a mistake deletes nothing', async () => {
    await space('force')
    await deploy('force', await push('force', job('1'), config('a', '1')))
    const immutable = await push('force', job('2'), config('a', '1'))
    const refused = await plan('force', immutable)
    expect(opsOf(refused)).toEqual(['ConfigMap none', 'Job refused'])
    await expect(apply('force', refused)).rejects.toThrow(/spec\.template/)
    const replacing = async (digest: string) =>
      (await run('create-apply-plan', 'force', { ...artifactOf('force', digest), replace: true })).outputs!
    const replaced = await replacing(immutable)
    expect(opsOf(replaced)).toEqual(['ConfigMap none', 'Job replace'])
    await apply('force', replaced)
    const mistake = await replacing(await push('force', job('2'), { ...config('a', '1'), data: { '/': 'no key' } }))
    expect(opsOf(mistake)).toEqual(['ConfigMap refused', 'Job none'])
    await expect(apply('force', mistake)).rejects.toThrow(/data/)
    expect(await value('force', 'a')).toBe('1')
  })

  it('11: leaves objects of the cluster without a namespace', async () => {
    await space('scoped')
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'scoped-role' },
      rules: [],
    }
    await deploy('scoped', await push('scoped', role, config('a', '1')))
    const ref = { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'ClusterRole', name: 'scoped-role' }
    expect((await getObject(line.cluster, ref, line.ctx))?.metadata.namespace).toBeUndefined()
    expect(await value('scoped', 'a')).toBe('1')
  })
})

async function push(repository: string, ...objects: KubeObject[]): Promise<string> {
  return (await pushArtifact(line.open(repository), await packObjects(objects), undefined, line.ctx)).digest
}

async function space(name: string): Promise<void> {
  await createObject(line.cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, {}, line.ctx)
}

function artifactOf(namespace: string, digest: string): Partial<DeployPlan> {
  return {
    kubernetes_manifest: { namespace, oci_artifact: { url: `oci://${line.registry.host}/${namespace}`, digest } },
  }
}

async function run<Operation extends DeployOperation>(
  operation: Operation,
  namespace: string,
  more: Partial<DeployPlan>,
  cluster: Cluster = line.cluster,
  events: LadingEvent[] = [],
): Promise<Job<Operation>> {
  const plan: DeployPlan = {
    component_id: 'app',
    component_name: 'app',
    kubernetes_manifest: { namespace },
    wait: false,
    ...more,
  }
  const engine = () => Promise.resolve({ cluster, store: line.storeOn(cluster) })
  const handlers = pipelineHandlers({ ...line.services, engine })
  const work = runNow(
    line.jobs,
    handlers,
    { ...newDeployJob(operation, plan), group: namespace },
    { worker: 'test' },
    line.ctx,
  )
  for (;;) {
    const next = await work.next()
    if (next.done === true) return next.value
    events.push(next.value)
  }
}

async function plan(namespace: string, digest: string): Promise<PlanOutputs> {
  return (await run('create-apply-plan', namespace, artifactOf(namespace, digest))).outputs!
}

function apply(
  namespace: string,
  planned: PlanOutputs,
  cluster = line.cluster,
  events: LadingEvent[] = [],
): Promise<Job> {
  const contents = planned.plan
  const approval = { plan_hash: planHash(contents), decision: 'approve', by: 'test', at: '' } as const
  return run('apply-plan', namespace, { apply_plan_contents: contents, approval }, cluster, events)
}

async function deploy(namespace: string, digest: string): Promise<void> {
  await apply(namespace, await plan(namespace, digest))
}

function changes(planned: PlanOutputs): PlanOutputs['changes'] {
  return planned.changes
}

function opsOf(planned: PlanOutputs): string[] {
  return changes(planned)
    .map(({ kind, op }) => `${kind} ${op}`)
    .sort()
}

/** The cluster, refusing some requests as an API server refuses those that are not allowed. */
function refusing(refused: (request: KubeRequest) => boolean): Cluster {
  return interceptedCluster(line.cluster, (request) => {
    if (refused(request)) throw new LadingError('kube.forbidden', `${request.method} ${request.path} is forbidden`)
  })
}

async function value(namespace: string, name: string): Promise<unknown> {
  const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace, name }
  return ((await getObject(line.cluster, ref, line.ctx))?.['data'] as { value?: unknown } | undefined)?.value
}
