import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { KubeObject } from '../core/index.ts'
import { applyObject, createObject, deleteObject, getObject } from '../kube/index.ts'
import { pullArtifact } from '../oci/index.ts'
import type { SavedPlan } from '../release/index.ts'
import { planBuild } from './build/build-plan.ts'
import { parseComponent } from './config/read-component.ts'
import { resolveInputs } from './config/resolve-inputs.ts'
import { type DeployPlan, planHash } from './deploy/deploy-plan.ts'
import type { Job, JobData, NewJob } from './jobs/job.ts'
import { commitAll, openPipeline, type TestPipeline } from './testdata/open-pipeline.ts'

let line: TestPipeline

beforeAll(async () => {
  line = await openPipeline()
})
afterAll(() => line.close())

const head = 'type: kubernetes_manifest\n'

test('an inline manifest is built, deployed, found unchanged, upgraded, rolled back by digest and torn down', async () => {
  await namespace('inline')
  const first = await build(
    `${head}name: one\nnamespace: inline\nmanifest: |\n${indent(config('a', '1') + config('b', '1'))}`,
  )
  expect(first.outputs).toMatchObject({ objects: ['_a__ConfigMap', '_b__ConfigMap'], tag: 'v1' })
  const deployed = await deploy('one', 'inline', first.outputs!)
  expect(deployed.outputs).toMatchObject({ outcome: 'deployed', revision: 1, digest: first.outputs!['digest'] })
  expect(await valueOf('inline', 'a')).toBe('1')

  const again = await plan('one', 'inline', first.outputs!)
  expect(again.outputs).toMatchObject({ unchanged: true })

  const second = await build(`${head}name: one\nnamespace: inline\nmanifest: |\n${indent(config('a', '2'))}`)
  const planned = await plan('one', 'inline', second.outputs!)
  expect(planned.outputs!['changes']).toEqual([
    {
      group: '',
      kind: 'ConfigMap',
      namespace: 'inline',
      name: 'a',
      op: 'update',
      entries: [{ path: '.data.value', original: '1', applied: '2', type: 'changed' }],
    },
    { group: '', kind: 'ConfigMap', namespace: 'inline', name: 'b', op: 'delete', entries: [] },
  ])
  expect(planned.outputs!['text']).toBe(
    '~ update ConfigMap inline/a\n    ~ .data.value: "1" -> "2"\n- delete ConfigMap inline/b\n2 to change, 0 unchanged\n',
  )
  await apply('one', 'inline', planned.outputs!)
  expect(await valueOf('inline', 'a')).toBe('2')
  expect(await valueOf('inline', 'b')).toBeUndefined()

  const back = await line.run(
    job('create-apply-plan', { ...base('one', 'inline'), rollback_to: String(first.outputs!['digest']) }),
  )
  await apply('one', 'inline', back.outputs!)
  expect(await valueOf('inline', 'a')).toBe('1')
  expect(await valueOf('inline', 'b')).toBe('1')

  const teardown = await line.run(job('create-teardown-plan', base('one', 'inline')))
  await apply('one', 'inline', teardown.outputs!)
  expect(await valueOf('inline', 'a')).toBeUndefined()
})

test('a kustomization of a git repository is built at its commit, with the patches of the component', async () => {
  await line.write({
    'repo/deploy/base/kustomization.yaml': 'resources: [c.yaml]\n',
    'repo/deploy/base/c.yaml': config('c', 'base'),
    'repo/deploy/overlays/prod/kustomization.yaml': 'namePrefix: prod-\nresources: [../../base]\n',
    'repo/deploy/patch.yaml': config('prod-c', 'patched'),
  })
  const repo = join(line.folder, 'repo')
  const commit = await commitAll(repo)
  const built = await build(
    `${head}name: two\nnamespace: git\nkustomize:\n  path: overlays/prod\n  patches: [patch.yaml]\n` +
      `public_repo:\n  repo: ${pathToFileURL(repo).href}\n  directory: deploy\n  branch: main\n`,
  )
  expect(built.outputs).toMatchObject({
    objects: ['_prod-c__ConfigMap'],
    metadata: { source_url: pathToFileURL(repo).href, source_revision: `main/${commit}` },
  })
  const pulled = await pullArtifact(line.open('built'), String(built.outputs!['digest']), {}, line.ctx)
  expect(pulled.objects[0]).toMatchObject({ data: { value: 'patched' } })
  expect(await readdir(join(line.folder, 'work'))).toEqual([])
})

test('the same component gives the same digest, whenever and wherever it is built', async () => {
  const text = `${head}name: same\nnamespace: x\nmanifest: |\n${indent(config('a', '1') + config('b', '2'))}`
  const other = `${head}name: same\nnamespace: x\nmanifest: |\n${indent(config('b', '2') + config('a', '1'))}`
  const digests = [await build(text), await build(text), await build(other)].map(({ outputs }) => outputs!['digest'])
  expect(new Set(digests).size).toBe(1)
})

test('somebody else’s artifact is resolved to its digest and mirrored untouched, after it was read', async () => {
  const theirs = await build(`${head}name: theirs\nnamespace: x\nmanifest: |\n${indent(config('a', '1'))}`, 'theirs')
  const built = await build(
    `${head}name: three\nnamespace: x\noci_artifact:\n  url: oci://${line.registry.host}/theirs\n  tag: v1\n`,
    'mirrored',
  )
  expect(built.outputs).toMatchObject({ digest: theirs.outputs!['digest'], objects: ['_a__ConfigMap'] })
  expect((await line.open('mirrored').resolve('v1', line.ctx)).digest).toBe(theirs.outputs!['digest'])
})

test('an artifact is copied from one registry to another', async () => {
  const { outputs } = await build(`${head}name: s\nnamespace: x\nmanifest: |\n${indent(config('a', '1'))}`, 'from')
  const plan = {
    src_registry: `oci://${line.registry.host}/from`,
    src_tag: String(outputs!['digest']),
    dst_registry: `oci://${line.registry.host}/to`,
    dst_tag: 'stable',
  }
  const synced = await line.run({ type: 'oci-sync', operation: 'sync', group: 'sync', plan, timeoutMs: 60_000 })
  expect(synced.outputs).toEqual({
    digest: outputs!['digest'],
    artifact: `oci://${line.registry.host}/to@${String(outputs!['digest'])}`,
  })
})

test('what was approved is applied: no approval, another plan’s approval and a cluster that moved are refused', async () => {
  await namespace('approve')
  const built = await build(`${head}name: ap\nnamespace: approve\nmanifest: |\n${indent(config('a', '1'))}`)
  const planned = await plan('ap', 'approve', built.outputs!)
  const contents = planned.outputs!['plan'] as SavedPlan
  await expect(
    line.run(job('apply-plan', { ...base('ap', 'approve'), apply_plan_contents: contents })),
  ).rejects.toMatchObject({
    code: 'approval.denied',
    message: 'the plan for approve/ap was not approved',
  })
  const other = { ...contents, objectsHash: 'sha256:0' }
  await expect(line.run(job('apply-plan', approved('ap', 'approve', contents, planHash(other))))).rejects.toMatchObject(
    {
      code: 'approval.denied',
    },
  )
  await createObject(line.cluster, object('approve', 'a', 'rival'), {}, line.ctx)
  await expect(line.run(job('apply-plan', approved('ap', 'approve', contents)))).rejects.toMatchObject({
    code: 'plan.stale',
  })
  expect(await valueOf('approve', 'a')).toBe('rival')
})

test('a tag that moves after the approval changes nothing of what is applied', async () => {
  await namespace('moving')
  const text = (value: string) => `${head}name: mv\nnamespace: moving\nmanifest: |\n${indent(config('a', value))}`
  await build(text('approved'), 'moving')
  const planned = await line.run(
    job('create-apply-plan', {
      ...base('mv', 'moving'),
      kubernetes_manifest: {
        namespace: 'moving',
        oci_artifact: { url: `oci://${line.registry.host}/moving`, tag: 'v1' },
      },
    }),
  )
  await build(text('sneaked in'), 'moving')
  await apply('mv', 'moving', planned.outputs!)
  expect(await valueOf('moving', 'a')).toBe('approved')
})

test('a deploy that was finished by a runner that went away is not done again', async () => {
  await namespace('twice')
  const built = await build(`${head}name: tw\nnamespace: twice\nmanifest: |\n${indent(config('a', '1'))}`)
  const planned = await plan('tw', 'twice', built.outputs!)
  await apply('tw', 'twice', planned.outputs!)
  const before = await live('twice', 'a')
  const again = await apply('tw', 'twice', planned.outputs!)
  expect(again.outputs).toMatchObject({ outcome: 'deployed', resumed: true, revision: 1 })
  expect((await live('twice', 'a'))?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion)
  // The next revision has the labels of this one, and is not taken for the work of its plan.
  const next = await build(`${head}name: tw\nnamespace: twice\nmanifest: |\n${indent(config('a', '2'))}`)
  await deploy('tw', 'twice', next.outputs!)
  await expect(apply('tw', 'twice', planned.outputs!)).rejects.toMatchObject({ code: 'release.exists' })
  expect(await valueOf('twice', 'a')).toBe('2')
})

test('drift is found: a changed object, a missing one, an orphan, and a tag that names another artifact', async () => {
  await namespace('drift')
  const built = await build(
    `${head}name: dr\nnamespace: drift\nmanifest: |\n${indent(config('a', '1') + config('b', '1'))}`,
    'drifting',
  )
  await deploy('dr', 'drift', built.outputs!)
  const look = () =>
    line.run(
      job('detect-drift', {
        ...base('dr', 'drift'),
        kubernetes_manifest: {
          namespace: 'drift',
          oci_artifact: { url: `oci://${line.registry.host}/drifting`, tag: 'v1' },
        },
      }),
    )
  expect((await look()).outputs).toMatchObject({ result: 'no-drift', objects: [], artifact: { changed: false } })

  await applyObject(
    line.cluster,
    object('drift', 'a', 'changed'),
    { fieldManager: 'rival', conflicts: 'force' },
    line.ctx,
  )
  await deleteObject(
    line.cluster,
    { group: '', version: 'v1', kind: 'ConfigMap', namespace: 'drift', name: 'b' },
    {},
    line.ctx,
  )
  const marks = { 'lading.dev/release-name': 'dr', 'lading.dev/release-namespace': 'drift' }
  const orphan = object('drift', 'o', '1')
  await createObject(line.cluster, { ...orphan, metadata: { ...orphan.metadata, annotations: marks } }, {}, line.ctx)
  await build(`${head}name: dr\nnamespace: drift\nmanifest: |\n${indent(config('a', '9'))}`, 'drifting')
  expect((await look()).outputs).toMatchObject({
    result: 'drift-detected',
    artifact: { changed: true, deployed: built.outputs!['digest'] },
    objects: [
      { id: 'drift_a__ConfigMap', state: 'modified', changes: [{ path: '.data.value', manager: 'rival' }] },
      { id: 'drift_b__ConfigMap', state: 'missing' },
      { id: 'drift_o__ConfigMap', state: 'orphan' },
    ],
  })
})

test('drift is undone where that is wanted, and a dependency that is not deployed holds a deploy up', async () => {
  await namespace('undo')
  const built = await build(`${head}name: un\nnamespace: undo\nmanifest: |\n${indent(config('a', '1'))}`)
  const waiting = line.run(
    job('create-apply-plan', {
      ...base('un', 'undo'),
      dependencies: ['db'],
      kubernetes_manifest: {
        namespace: 'undo',
        oci_artifact: { url: `oci://${line.registry.host}/built`, digest: String(built.outputs!['digest']) },
      },
    }),
  )
  await expect(waiting).rejects.toThrow('un depends on undo/db, which is not deployed: deploy that first')
  await deploy('un', 'undo', built.outputs!)
  await applyObject(line.cluster, object('undo', 'a', 'x'), { fieldManager: 'rival', conflicts: 'force' }, line.ctx)
  const undone = await line.run(job('detect-drift', { ...base('un', 'undo'), correct_drift: true }))
  expect(undone.outputs).toMatchObject({ result: 'drift-detected', corrected: true, revision: 2 })
  expect(await valueOf('undo', 'a')).toBe('1')
})

test('inputs fill in the namespace and the manifest; one that is missing or unknown is refused', () => {
  const component = parseComponent(
    `${head}name: in\nnamespace: shop-{{ .inputs.stage }}\nmanifest: |\n  a: {{ .inputs.stage }}\ninputs:\n  stage: {}\n`,
    'yaml',
    '/c.yaml',
  )
  expect(resolveInputs(component, { stage: 'prod' })).toMatchObject({
    namespace: 'shop-prod',
    source: { manifest: 'a: prod\n' },
  })
  expect(() => resolveInputs(component, {})).toThrow(
    'component in needs the input stage: give it with --input stage=VALUE',
  )
  expect(() => resolveInputs(component, { stage: 'a', other: 'b' })).toThrow('component in declares no input other')
  expect(() => resolveInputs(component, { stage: 'UPPER' })).toThrow('"shop-UPPER", which is none')
})

test('a component that leads out of its folder, or names no repository, is refused and nothing is left', async () => {
  await expect(build(`${head}name: out\nnamespace: x\nkustomize:\n  path: ../..\n`)).rejects.toThrow(
    'kustomize.path leads out',
  )
  await expect(
    build(`${head}name: bad\nnamespace: x\nkustomize:\n  path: .\npublic_repo:\n  repo: "ext::sh -c id"\n`),
  ).rejects.toThrow('is no repository that Lading fetches')
  await expect(
    build(`${head}name: bad\nnamespace: x\nkustomize:\n  path: .\npublic_repo:\n  repo: "--upload-pack=id"\n`),
  ).rejects.toThrow('cannot begin with a dash')
  expect(await readdir(join(line.folder, 'work'))).toEqual([])
})

function config(name: string, value: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  value: "${value}"\n---\n`
}

function object(space: string, name: string, value: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: space }, data: { value } }
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ')
}

async function build(text: string, repository = 'built'): Promise<Job> {
  const component = parseComponent(text, 'yaml', join(line.folder, 'component.yaml'))
  const plan = planBuild(component, { registry: `oci://${line.registry.host}/${repository}`, tag: 'v1' })
  const group = `build/${component.name}`
  return line.run({
    type: 'kubernetes-manifest-build',
    operation: 'build',
    group,
    plan: { ...plan },
    timeoutMs: 60_000,
  })
}

function base(name: string, space: string): DeployPlan {
  return { component_id: name, component_name: name, kubernetes_manifest: { namespace: space } }
}

function job(operation: NewJob['operation'], plan: DeployPlan): NewJob {
  const group = `deploy/${plan.component_name}`
  return { type: 'kubernetes-manifest-deploy', operation, group, plan: { ...plan }, timeoutMs: 60_000 }
}

function plan(name: string, space: string, outputs: JobData): Promise<Job> {
  const artifact = { url: String(outputs['artifact']).replace(/@.*/, ''), digest: String(outputs['digest']) }
  return line.run(
    job('create-apply-plan', {
      ...base(name, space),
      kubernetes_manifest: { namespace: space, oci_artifact: artifact },
    }),
  )
}

function approved(name: string, space: string, contents: SavedPlan, hash = planHash(contents)): DeployPlan {
  const approval = { plan_hash: hash, decision: 'approve', by: 'test', at: '2026-01-01T00:00:00Z' } as const
  return { ...base(name, space), apply_plan_contents: contents, approval }
}

function apply(name: string, space: string, outputs: JobData): Promise<Job> {
  return line.run(job('apply-plan', approved(name, space, outputs['plan'] as SavedPlan, String(outputs['plan_hash']))))
}

async function deploy(name: string, space: string, outputs: JobData): Promise<Job> {
  return apply(name, space, (await plan(name, space, outputs)).outputs!)
}

async function namespace(name: string): Promise<void> {
  await createObject(line.cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, {}, line.ctx)
}

function live(space: string, name: string): Promise<KubeObject | undefined> {
  return getObject(line.cluster, { group: '', version: 'v1', kind: 'ConfigMap', namespace: space, name }, line.ctx)
}

async function valueOf(space: string, name: string): Promise<unknown> {
  const found = await live(space, name)
  return (found?.['data'] as Record<string, unknown> | undefined)?.['value']
}
