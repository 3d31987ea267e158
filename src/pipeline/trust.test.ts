import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateKeyPair, type KeyPair, loadSigningKey, packObjects, pushArtifact, signArtifact } from '../oci/index.ts'
import { planBuild } from './build/build-plan.ts'
import { parseComponent } from './config/read-component.ts'
import { pipelineHandlers } from './handlers.ts'
import type { Job, NewJob } from './jobs/job.ts'
import { runNow } from './jobs/run-now.ts'
import type { PipelineServices } from './services.ts'
import { finish, openPipeline, type TestPipeline } from './testdata/open-pipeline.ts'
import { approved, base, job } from './testdata/pipeline-jobs.ts'
import type { DeployPlan } from './deploy/deploy-plan.ts'
import type { Trust } from './verify-demands.ts'

// What a job demands of its artifacts is kept by whoever runs it, and what the runner demands cannot be taken back by a job.
let line: TestPipeline
let ours: KeyPair
let runners: KeyPair

beforeAll(async () => {
  line = await openPipeline()
  ours = await generateKeyPair('')
  runners = await generateKeyPair('')
})
afterAll(() => line.close())

test.each(['mirror', 'sync', 'plan', 'apply'] as const)(
  '%s: both the job and the runner have to be satisfied',
  async (what) => {
    const repository = `trust-${what}`
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: repository } }
    const target = line.open(repository)
    const { digest } = await pushArtifact(target, await packObjects([object]), 'v1', line.ctx)
    const trust = { verify_keys: [ours.publicKey] }
    const jobOf = await jobs(what, repository, digest)
    const attempt = () => run(jobOf(trust), { verifyKeys: [runners.publicKey] })

    await expect(attempt()).rejects.toMatchObject({ code: 'signature.missing' })
    await sign(repository, runners)
    await expect(attempt()).rejects.toMatchObject({ code: 'signature.invalid' })
    await sign(repository, ours)
    expect(await attempt()).toMatchObject({ state: 'finished' })
  },
)

test('a job that is run elsewhere than on its cluster is refused before anything is read', async () => {
  const deploy = { ...job('create-teardown-plan', base('shop', 'default')), cluster: 'staging' }
  await expect(line.run(deploy)).rejects.toMatchObject({
    code: 'job.wrong-cluster',
    message: expect.stringMatching(/^job \S+ is for the cluster staging, and this is the cluster \S+$/),
    details: { step: 'initialize' },
  })
})

async function sign(repository: string, { privateKey }: KeyPair): Promise<void> {
  const target = line.open(repository)
  await signArtifact(target, await target.resolve('v1', line.ctx), await loadSigningKey(privateKey), {}, line.ctx)
}

/** A job of each kind that uses the artifact, with what it demands. */
async function jobs(what: 'mirror' | 'sync' | 'plan' | 'apply', repository: string, digest: string) {
  const url = `oci://${line.registry.host}/${repository}`
  const timed = { group: what, timeoutMs: 60_000 }
  const manifest = { namespace: 'default', oci_artifact: { url, digest } }
  const deploy: DeployPlan = { ...base(what, 'default'), kubernetes_manifest: manifest, wait: false }
  switch (what) {
    case 'mirror': {
      const text = `type: kubernetes_manifest\nname: byoa\nnamespace: x\noci_artifact: {url: "${url}", tag: v1}\n`
      const component = parseComponent(text, 'yaml', 'component.yaml')
      const to = { registry: `${url}-copy`, tag: 'v1' }
      return (trust: Trust): NewJob => {
        const plan = planBuild(component, to, { trust })
        return { type: 'kubernetes-manifest-build', operation: 'build', plan: { ...plan }, ...timed }
      }
    }
    case 'sync':
      return (trust: Trust): NewJob => {
        const plan = { src_registry: url, src_tag: 'v1', dst_registry: `${url}-copy`, dst_tag: 'v1', trust }
        return { type: 'oci-sync', operation: 'sync', plan, ...timed }
      }
    case 'plan':
      return (trust: Trust): NewJob => job('create-apply-plan', { ...deploy, trust })
    case 'apply': {
      const { outputs } = await line.run(job('create-apply-plan', deploy))
      const contents = outputs!.plan
      return (trust: Trust): NewJob => job('apply-plan', { ...approved(what, 'default', contents), trust })
    }
  }
}

function run(newJob: NewJob, services: Partial<PipelineServices>): Promise<Job> {
  const handlers = pipelineHandlers({ ...line.services, ...services })
  return finish(runNow(line.jobs, handlers, newJob, { worker: 'test' }, line.ctx))
}
