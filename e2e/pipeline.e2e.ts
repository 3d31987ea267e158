import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { context, type KubeObject } from '../src/core/index.ts'
import { type Connected, connect, createObject, deleteObject, getObject } from '../src/kube/index.ts'
import {
  type BuildOutputs,
  type DeployPlan,
  type Job,
  type PlanOutputs,
  parseComponent,
  planBuild,
  planHash,
} from '../src/pipeline/index.ts'
import { commitAll, openPipeline, type TestPipeline } from '../src/pipeline/testdata/open-pipeline.ts'
import { job } from '../src/pipeline/testdata/pipeline-jobs.ts'
import { type Registry, startRegistry } from '../testbed/registry.ts'
import { freshName } from './fixtures/compared-clusters.ts'

const ctx = context()
const space = freshName('pipeline')
const namespace = { group: '', version: 'v1', kind: 'Namespace', name: space }
let cluster: Connected
let registry: Registry
let line: TestPipeline

beforeAll(async () => {
  cluster = await connect({ kubeconfig: inject('kubeconfig') }, ctx)
  registry = await startRegistry({ auth: true })
  line = await openPipeline({ cluster, registry })
  await createObject(cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: space } }, {}, ctx)
})
afterAll(async () => {
  await deleteObject(cluster, namespace, {}, ctx)
  await line.close()
  await registry.stop()
  await cluster.close()
})

const shop = (name: string, image: string): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: 2
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: main, image: "${image}"}]}
`

test('an inline manifest goes from its file to running pods, and back by digest', async () => {
  const component = (image: string) => `manifest: |\n${shop('inline', image).replace(/^/gm, '  ')}`
  const first = await build('inline', component('nginx:1'))
  expect((await deploy('inline', first)).outputs).toMatchObject({ outcome: 'deployed', revision: 1 })
  expect(await live('inline')).toMatchObject({ status: { readyReplicas: 2 } })
  const second = await build('inline', component('nginx:2'))
  await deploy('inline', second)
  const plan = { ...base('inline'), rollback_to: first.digest }
  const back = (await line.run(job('create-apply-plan', plan))).outputs!
  expect(back.text).toContain('.image: "nginx:2" → "nginx:1"')
  await apply('inline', back)
  expect(JSON.stringify((await live('inline'))?.['spec'])).toContain('nginx:1')
})

test('a kustomization of a git repository is built with a patch and deployed', async () => {
  await line.write({
    'repo/base/kustomization.yaml': 'resources: [d.yaml]\n',
    'repo/base/d.yaml': shop('kustomized', 'nginx:1'),
    'repo/prod/kustomization.yaml': 'resources: [../base]\nimages: [{name: nginx, newTag: "7"}]\n',
    'repo/patch.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: kustomized}\nspec: {replicas: 1}\n',
  })
  const repo = join(line.folder, 'repo')
  const commit = await commitAll(repo)
  const built = await build(
    'kustomized',
    `kustomize: {path: prod, patches: [patch.yaml]}\npublic_repo: {repo: "${pathToFileURL(repo).href}", branch: main}\n`,
  )
  expect(built).toMatchObject({ metadata: { source_revision: `main/${commit}` } })
  await deploy('kustomized', built)
  expect(await live('kustomized')).toMatchObject({ spec: { replicas: 1 }, status: { readyReplicas: 1 } })
})

test('somebody else’s artifact is mirrored, deployed, watched for drift and torn down', async () => {
  const theirs = await build('theirs', `manifest: |\n${shop('byoa', 'nginx:1').replace(/^/gm, '  ')}`)
  const built = await build('byoa', `oci_artifact: {url: "oci://${registry.host}/theirs", tag: v1}\n`)
  expect(built['digest']).toBe(theirs['digest'])
  await deploy('byoa', built)
  expect((await line.run(job('detect-drift', base('byoa')))).outputs).toMatchObject({ result: 'no-drift' })
  await deleteObject(
    cluster,
    { group: 'apps', version: 'v1', kind: 'Deployment', namespace: space, name: 'byoa' },
    {},
    ctx,
  )
  expect((await line.run(job('detect-drift', base('byoa')))).outputs).toMatchObject({
    result: 'drift-detected',
    objects: [{ id: `${space}_byoa_apps_Deployment`, state: 'missing' }],
  })
  await apply('byoa', (await line.run(job('create-teardown-plan', base('byoa')))).outputs!)
  expect(await live('byoa')).toBeUndefined()
})

async function build(name: string, source: string): Promise<BuildOutputs> {
  const text = `type: kubernetes_manifest\nname: ${name}\nnamespace: ${space}\n${source}`
  const component = parseComponent(text, 'yaml', join(line.folder, 'component.yaml'))
  const plan = planBuild(component, { registry: `oci://${registry.host}/${name}`, tag: 'v1' })
  const done = await line.run({
    type: 'kubernetes-manifest-build',
    operation: 'build',
    group: name,
    plan: { ...plan },
    timeoutMs: 60_000,
  })
  return done.outputs!
}

async function deploy(name: string, built: BuildOutputs): Promise<Job> {
  const artifact = { url: `oci://${registry.host}/${name}`, digest: built.digest }
  const plan = { ...base(name), kubernetes_manifest: { namespace: space, oci_artifact: artifact } }
  return apply(name, (await line.run(job('create-apply-plan', plan))).outputs!)
}

function apply(name: string, planned: PlanOutputs): Promise<Job> {
  const contents = planned.plan
  const approval = { plan_hash: planHash(contents), decision: 'approve', by: 'e2e', at: '' } as const
  return line.run(job('apply-plan', { ...base(name), wait: true, apply_plan_contents: contents, approval }))
}

function base(name: string): DeployPlan {
  return { component_id: name, component_name: name, kubernetes_manifest: { namespace: space } }
}

function live(name: string): Promise<KubeObject | undefined> {
  return getObject(cluster, { group: 'apps', version: 'v1', kind: 'Deployment', namespace: space, name }, ctx)
}
