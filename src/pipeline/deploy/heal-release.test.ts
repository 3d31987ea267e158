import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LadingError } from '../../core/index.ts'
import type { Cluster } from '../../kube/index.ts'
import { packObjects, pullArtifact, pushArtifact } from '../../oci/index.ts'
import { historyOf } from '../../release/index.ts'
import { pipelineHandlers } from '../handlers.ts'
import type { BuildOutputs } from '../build/build-plan.ts'
import type { PlanOutputs } from './deploy-outputs.ts'
import type { Job, NewJob } from '../jobs/job.ts'
import type { JobOperation } from '../jobs/job-operations.ts'
import { runNow } from '../jobs/run-now.ts'
import { interceptedCluster, untilAborted } from '../testdata/intercepted-cluster.ts'
import { finish, openPipeline, type TestPipeline } from '../testdata/open-pipeline.ts'
import {
  apply,
  approved,
  base,
  build,
  config,
  deploy,
  inline,
  job,
  namespace,
  plan,
  valueOf,
} from '../testdata/pipeline-jobs.ts'
import type { DeployPlan } from './deploy-plan.ts'

let line: TestPipeline

beforeAll(async () => {
  line = await openPipeline()
})
afterAll(() => line.close())

/** Ways in which a deploy ends after it has written every object and before its revision is good. */
type Ending = 'failed' | 'cancelled' | 'crashed'
const endings: readonly Ending[] = ['failed', 'cancelled', 'crashed']

describe.each(endings)('after a deploy that %s with every object written', (ending) => {
  test('the next deploy of the same artifact makes a good revision, and dependents go on', async () => {
    const space = `heal-${ending}`
    await namespace(line, space)
    const { outputs } = await build(line, inline('db', space, config('a', '1')), space)
    await spoil(ending, 'db', space, outputs!)
    expect(await statuses('db', space)).toEqual([ending === 'crashed' ? 'pending-install' : 'failed'])

    const web = await build(line, inline('web', space, config('w', '1')), `${space}-web`)
    const waiting = { ...artifact('web', space, web.outputs!), dependencies: ['db'] }
    await expect(line.run(job('create-apply-plan', waiting))).rejects.toThrow(`depends on ${space}/db, which is`)

    const again = await plan(line, 'db', space, outputs!)
    expect(again.outputs).toMatchObject({ unchanged: false, changes: [{ op: 'none' }] })
    const was = ending === 'crashed' ? 'pending-install' : 'failed'
    expect(again.outputs!.text).toBe(`0 to change, 1 unchanged\nrevision 1 is ${was}: revision 2 makes it good\n`)
    const healed = await apply(line, 'db', space, again.outputs!)
    expect(healed.outputs).toMatchObject({ outcome: 'deployed', revision: 2 })
    expect(await statuses('db', space)).toEqual(['failed', 'deployed'])
    await line.run(job('create-apply-plan', waiting))
    expect((await plan(line, 'db', space, outputs!)).outputs).toMatchObject({ unchanged: true })
  })

  test('--rollback-to goes back to the last good artifact, and to an earlier one', async () => {
    const space = `back-${ending}`
    await namespace(line, space)
    const [one, two, three] = await Promise.all(
      ['1', '2', '3'].map(async (value) => {
        const { outputs } = await build(line, inline('app', space, config('a', value)), `${space}-${value}`)
        return outputs!
      }),
    )
    await deploy(line, 'app', space, one!)
    await deploy(line, 'app', space, two!)
    await spoil(ending, 'app', space, three!)
    expect(await valueOf(line, space, 'a')).toBe('3')

    await rollBack('app', space, two!)
    expect(await valueOf(line, space, 'a')).toBe('2')
    await spoil(ending, 'app', space, three!)
    await rollBack('app', space, one!)
    expect(await valueOf(line, space, 'a')).toBe('1')
    expect((await statuses('app', space)).at(-1)).toBe('deployed')
  })
})

test('a rollback to what is deployed and in place has nothing to do; to an artifact that was never good it warns', async () => {
  await namespace(line, 'never')
  const good = await build(line, inline('app', 'never', config('a', '1')), 'never-1')
  const bad = await build(line, inline('app', 'never', config('a', '2')), 'never-2')
  await deploy(line, 'app', 'never', good.outputs!)
  const same = { ...base('app', 'never'), rollback_to: good.outputs!.digest }
  expect((await line.run(job('create-apply-plan', same))).outputs).toMatchObject({ unchanged: true })

  await spoil('failed', 'app', 'never', bad.outputs!)
  await rollBack('app', 'never', good.outputs!)
  const there = await rollBack('app', 'never', bad.outputs!)
  expect(there.outputs).toMatchObject({ outcome: 'deployed', revision: 4 })
  const planned = (await line.jobs.list({ group: 'deploy/app', limit: 2 })).find(
    ({ operation }) => operation === 'create-apply-plan',
  )
  expect((await line.jobs.logs(planned!.id, 0)).map(({ message }) => message)).toContain(
    `revision 2 came from ${bad.outputs!.digest} and was never good`,
  )
  const unknown = { ...base('app', 'never'), rollback_to: 'sha256:0' }
  await expect(line.run(job('create-apply-plan', unknown))).rejects.toMatchObject({
    code: 'release.no-target',
    details: { digests: [bad.outputs!.digest, good.outputs!.digest] },
  })
})

test('another artifact with the same objects is a new revision, so that the record names what is deployed', async () => {
  await namespace(line, 'same')
  const { outputs } = await build(line, inline('app', 'same', config('a', '1')), 'same')
  await deploy(line, 'app', 'same', outputs!)
  const { objects } = await pullArtifact(line.open('same'), outputs!.digest, {}, line.ctx)
  const packed = await packObjects(objects, { revision: 'main/2' })
  const { digest } = await pushArtifact(line.open('same'), packed, 'v2', line.ctx)
  const planned = await plan(line, 'app', 'same', { ...outputs!, digest })
  expect(planned.outputs).toMatchObject({ unchanged: false })
  expect(planned.outputs!.text).toBe('0 to change, 1 unchanged\nrevision 2 records another artifact\n')
  expect((await apply(line, 'app', 'same', planned.outputs!)).outputs).toMatchObject({ revision: 2, digest })
})

test('a teardown that failed after the last deletion is ended by the next one', async () => {
  await namespace(line, 'down')
  const { outputs } = await build(line, inline('app', 'down', config('a', '1')), 'down')
  await deploy(line, 'app', 'down', outputs!)
  const teardown = job('create-teardown-plan', base('app', 'down'))
  const first = await line.run(teardown)
  // The second update is the one that calls it uninstalled.
  await expect(applyOn(spoiled('failed', 2), 'app', 'down', first.outputs!)).rejects.toThrow('refused')
  expect(await valueOf(line, 'down', 'a')).toBeUndefined()
  expect(await statuses('app', 'down')).toEqual(['failed'])

  const again = await line.run(teardown)
  expect(again.outputs).toMatchObject({ unchanged: false, changes: [] })
  expect(again.outputs!.text).toBe(
    '0 to change, 0 unchanged\nrevision 1 is failed: the records of the release are removed\n',
  )
  await apply(line, 'app', 'down', again.outputs!)
  await expect(statuses('app', 'down')).rejects.toMatchObject({ code: 'release.not-found' })
})

async function statuses(name: string, space: string): Promise<string[]> {
  return (await historyOf(line.releases, { name, namespace: space }, line.ctx)).map(({ status }) => status)
}

async function rollBack(name: string, space: string, { digest }: BuildOutputs): Promise<Job<'apply-plan'>> {
  const planned = await line.run(job('create-apply-plan', { ...base(name, space), rollback_to: digest }))
  return apply(line, name, space, planned.outputs!)
}

async function spoil(ending: Ending, name: string, space: string, outputs: BuildOutputs): Promise<void> {
  const planned = await plan(line, name, space, outputs)
  const code = ending === 'cancelled' ? 'cancelled' : 'release.failed'
  await expect(applyOn(spoiled(ending, 1), name, space, planned.outputs!)).rejects.toMatchObject({ code })
}

function applyOn(cluster: Cluster, name: string, space: string, planned: PlanOutputs): Promise<Job> {
  const plan = approved(name, space, planned.plan)
  return runOn(cluster, job('apply-plan', plan))
}

function runOn<Operation extends JobOperation>(cluster: Cluster, newJob: NewJob<Operation>): Promise<Job<Operation>> {
  const engine = () => Promise.resolve({ cluster, store: line.storeOn(cluster) })
  const handlers = pipelineHandlers({ ...line.services, engine })
  return finish(runNow(line.jobs, handlers, newJob, { worker: 'spoiled' }, line.ctx))
}

/** A cluster that ends an operation at so manieth update of a record. */
function spoiled(ending: Ending, at: number): Cluster {
  let updates = 0
  return interceptedCluster(line.cluster, async ({ method, path }, ctx) => {
    if ((method !== 'PUT' && method !== 'PATCH') || !/\/secrets\/./.test(path)) return
    updates++
    if (updates < at || (updates > at && ending !== 'crashed')) return
    if (ending === 'cancelled') {
      const [running] = await line.jobs.list({ states: ['in-progress'] })
      await line.jobs.cancel(running!.id)
      return untilAborted(ctx)
    }
    throw new LadingError('kube.forbidden', `${method} is refused`)
  })
}

function artifact(name: string, space: string, outputs: BuildOutputs): DeployPlan {
  const [url = ''] = outputs.artifact.split('@')
  return {
    ...base(name, space),
    kubernetes_manifest: { namespace: space, oci_artifact: { url, digest: outputs.digest } },
  }
}
