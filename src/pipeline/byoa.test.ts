import { join } from 'node:path'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  generateKeyPair,
  type KeyPair,
  loadSigningKey,
  packFiles,
  packObjects,
  pushArtifact,
  signArtifact,
  verifySignature,
} from '../oci/index.ts'
import { planHash } from '../release/index.ts'
import { planBuild } from './build/build-plan.ts'
import { parseComponent } from './config/read-component.ts'
import type { DeployPlan } from './deploy/deploy-plan.ts'
import { pipelineHandlers } from './handlers.ts'
import type { DeployOperation } from './deploy/deploy-handler.ts'
import type { Job } from './jobs/job.ts'
import { runNow } from './jobs/run-now.ts'
import type { PipelineServices } from './services.ts'
import { finish, openPipeline, type TestPipeline } from './testdata/open-pipeline.ts'
import { job as newDeployJob } from './testdata/pipeline-jobs.ts'

let line: TestPipeline
let keys: KeyPair

beforeAll(async () => {
  line = await openPipeline()
  keys = await generateKeyPair('')
})
afterAll(() => line.close())

test('an artifact that must be signed is mirrored with its signatures', async () => {
  const digest = await push('signed')
  const theirs = line.open('signed')
  await signArtifact(theirs, await theirs.resolve('v1', line.ctx), await loadSigningKey(keys.privateKey), {}, line.ctx)
  const { outputs } = await mirror('signed', 'mirror/signed', [keys.publicKey])
  expect(outputs).toMatchObject({ digest })
  const ours = line.open('mirror/signed')
  const held = await verifySignature(ours, await ours.resolve('v1', line.ctx), [keys.publicKey], {}, line.ctx)
  expect(held).toHaveLength(1)
})

test('an artifact that nobody signed, or somebody else, is not mirrored where keys are given', async () => {
  await push('unsigned')
  const wanted = mirror('unsigned', 'mirror/unsigned', [keys.publicKey])
  await expect(wanted).rejects.toMatchObject({ code: 'signature.missing' })
  const other = await generateKeyPair('')
  const source = line.open('unsigned')
  const key = await loadSigningKey(other.privateKey)
  await signArtifact(source, await source.resolve('v1', line.ctx), key, {}, line.ctx)
  const again = mirror('unsigned', 'mirror/unsigned', [keys.publicKey])
  await expect(again).rejects.toMatchObject({ code: 'signature.invalid' })
  await expect(line.open('mirror/unsigned').resolve('v1', line.ctx)).rejects.toMatchObject({ code: 'oci.not-found' })
})

test.each([
  ['defines an object twice', '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}', 'object.duplicate'],
  ['lacks a name', '{apiVersion: v1, kind: ConfigMap}', 'object.invalid'],
  ['is no YAML', '{{ broken', 'yaml.syntax'],
])('an artifact that %s is not mirrored', async (_what, text, code) => {
  const files = new Map([
    ['a.yaml', { content: Buffer.from(text) }],
    ['b.yaml', { content: Buffer.from(text) }],
  ])
  await pushArtifact(line.open('wrong'), await packFiles(files), 'v1', line.ctx)
  await expect(mirror('wrong', 'mirror/wrong', [])).rejects.toMatchObject({ code })
  await expect(line.open('mirror/wrong').resolve('v1', line.ctx)).rejects.toMatchObject({ code: 'oci.not-found' })
})

test('what is deployed must be signed too where keys are given, also when it was approved before', async () => {
  const digest = await push('deployed')
  const free = await plan('deployed', digest, {})
  await expect(plan('deployed', digest, { verifyKeys: [keys.publicKey] })).rejects.toMatchObject({
    code: 'signature.missing',
  })
  const contents = free.outputs!.plan
  const approval = { plan_hash: planHash(contents), decision: 'approve', by: 'test', at: '' } as const
  const applied = { ...deployOf('deployed', digest), apply_plan_contents: contents, approval }
  await expect(run('apply-plan', applied, { verifyKeys: [keys.publicKey] })).rejects.toMatchObject({
    code: 'signature.missing',
  })
  const target = line.open('deployed')
  const key = await loadSigningKey(keys.privateKey)
  await signArtifact(target, await target.resolve('v1', line.ctx), key, {}, line.ctx)
  const { outputs } = await run('apply-plan', applied, { verifyKeys: [keys.publicKey] })
  expect(outputs).toMatchObject({ outcome: 'deployed', digest })
})

test('what is encrypted is deployed with its identity alone', async () => {
  const identity = await generateIdentity()
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'sealed' } }
  const packed = await packObjects([object], { recipients: [await identityToRecipient(identity)] })
  const { digest } = await pushArtifact(line.open('sealed'), packed, 'v1', line.ctx)
  await expect(plan('sealed', digest, {})).rejects.toMatchObject({ code: 'artifact.encrypted' })
  expect((await plan('sealed', digest, { identities: [identity] })).outputs).toMatchObject({
    changes: [{ name: 'sealed', op: 'create' }],
  })
})

function deployOf(name: string, digest: string): DeployPlan {
  const artifact = { url: `oci://${line.registry.host}/${name}`, digest }
  const manifest = { namespace: 'default', oci_artifact: artifact }
  return { component_id: name, component_name: name, kubernetes_manifest: manifest, wait: false }
}

function plan(name: string, digest: string, services: Partial<PipelineServices>): Promise<Job<'create-apply-plan'>> {
  return run('create-apply-plan', deployOf(name, digest), services)
}

function run<Operation extends DeployOperation>(
  operation: Operation,
  plan: DeployPlan,
  services: Partial<PipelineServices>,
): Promise<Job<Operation>> {
  const handlers = pipelineHandlers({ ...line.services, ...services })
  return finish(runNow(line.jobs, handlers, newDeployJob(operation, plan), { worker: 'test' }, line.ctx))
}

async function push(repository: string): Promise<string> {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: repository } }
  return (await pushArtifact(line.open(repository), await packObjects([object]), 'v1', line.ctx)).digest
}

function mirror(from: string, to: string, verifyKeys: readonly string[]): Promise<Job> {
  const text = `type: kubernetes_manifest\nname: byoa\nnamespace: x\noci_artifact:\n  url: oci://${line.registry.host}/${from}\n  tag: v1\n`
  const component = parseComponent(text, 'yaml', join(line.folder, 'component.yaml'))
  const plan = planBuild(component, { registry: `oci://${line.registry.host}/${to}`, tag: 'v1' })
  const job = {
    type: 'kubernetes-manifest-build',
    operation: 'build',
    group: to,
    plan: { ...plan },
    timeoutMs: 60_000,
  } as const
  const handlers = pipelineHandlers({ ...line.services, verifyKeys })
  return finish(runNow(line.jobs, handlers, job, { worker: 'test' }, line.ctx))
}
