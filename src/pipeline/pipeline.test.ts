import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createObject } from '../kube/index.ts'
import { pullArtifact } from '../oci/index.ts'
import { maskPlan, planHash } from '../release/index.ts'
import { parseComponent } from './config/read-component.ts'
import { resolveInputs } from './config/resolve-inputs.ts'
import { commitAll, openPipeline, type TestPipeline } from './testdata/open-pipeline.ts'
import {
  apply,
  approved,
  base,
  build,
  buildOf,
  config,
  deploy,
  inline,
  job,
  live,
  namespace,
  object,
  plan,
  valueOf,
} from './testdata/pipeline-jobs.ts'

let line: TestPipeline

beforeAll(async () => {
  line = await openPipeline()
})
afterAll(() => line.close())

const head = 'type: kubernetes_manifest\n'

test('an inline manifest is built, deployed, found unchanged, upgraded, rolled back by digest and torn down', async () => {
  await namespace(line, 'inline')
  const first = await build(line, inline('one', 'inline', config('a', '1') + config('b', '1')))
  expect(first.outputs).toMatchObject({ objects: ['_a__ConfigMap', '_b__ConfigMap'], tag: 'v1' })
  const deployed = await deploy(line, 'one', 'inline', first.outputs!)
  expect(deployed.outputs).toMatchObject({ outcome: 'deployed', revision: 1, digest: first.outputs!.digest })
  expect(await valueOf(line, 'inline', 'a')).toBe('1')

  const again = await plan(line, 'one', 'inline', first.outputs!)
  expect(again.outputs).toMatchObject({ unchanged: true })

  const second = await build(line, inline('one', 'inline', config('a', '2')))
  const planned = await plan(line, 'one', 'inline', second.outputs!)
  expect(planned.outputs!.changes).toEqual([
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
  expect(planned.outputs!.text).toBe(
    '~ update ConfigMap inline/a\n    ~ .data.value: "1" → "2"\n- delete ConfigMap inline/b\n2 to change, 0 unchanged\n',
  )
  await apply(line, 'one', 'inline', planned.outputs!)
  expect(await valueOf(line, 'inline', 'a')).toBe('2')
  expect(await valueOf(line, 'inline', 'b')).toBeUndefined()

  const back = await line.run(
    job('create-apply-plan', { ...base('one', 'inline'), rollback_to: first.outputs!.digest }),
  )
  await apply(line, 'one', 'inline', back.outputs!)
  expect(await valueOf(line, 'inline', 'a')).toBe('1')
  expect(await valueOf(line, 'inline', 'b')).toBe('1')

  const teardown = await line.run(job('create-teardown-plan', base('one', 'inline')))
  await apply(line, 'one', 'inline', teardown.outputs!)
  expect(await valueOf(line, 'inline', 'a')).toBeUndefined()
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
    line,
    `${head}name: two\nnamespace: git\nkustomize:\n  path: overlays/prod\n  patches: [patch.yaml]\n` +
      `public_repo:\n  repo: ${pathToFileURL(repo).href}\n  directory: deploy\n  branch: main\n`,
  )
  expect(built.outputs).toMatchObject({
    objects: ['_prod-c__ConfigMap'],
    metadata: { source_url: pathToFileURL(repo).href, source_revision: `main/${commit}` },
  })
  const pulled = await pullArtifact(line.open('built'), built.outputs!.digest, {}, line.ctx)
  expect(pulled.objects[0]).toMatchObject({ data: { value: 'patched' } })
  expect(await readdir(join(line.folder, 'work'))).toEqual([])
})

test('a manifest file with declared inputs is filled in, and a value cannot add a field', async () => {
  await line.write({ 'deploy.yaml': config('file-{{ .inputs.stage }}', '{{ .inputs.colour }}') })
  const component = parseComponent(
    `${head}name: filled\nnamespace: x\nmanifest: deploy.yaml\ninputs:\n  stage: {}\n  colour: {}\n`,
    'yaml',
    join(line.folder, 'component.yaml'),
  )
  const colour = 'blue"\n  other: "x'
  const built = await buildOf(line, resolveInputs(component, { stage: 'prod', colour }))
  const pulled = await pullArtifact(line.open('built'), built.outputs!.digest, {}, line.ctx)
  expect(pulled.objects).toEqual([
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'file-prod' }, data: { value: colour } },
  ])
  await line.write({ 'deploy.yaml': config('a', '{{ .inputs.other }}') })
  await expect(buildOf(line, resolveInputs(component, { stage: 'prod', colour }))).rejects.toMatchObject({
    code: 'config.invalid',
    message: 'deploy.yaml:6: component filled declares no input other',
  })
})

test('the same component gives the same digest, whenever and wherever it is built', async () => {
  const text = inline('same', 'x', config('a', '1') + config('b', '2'))
  const other = inline('same', 'x', config('b', '2') + config('a', '1'))
  const digests = [await build(line, text), await build(line, text), await build(line, other)].map(
    ({ outputs }) => outputs!.digest,
  )
  expect(new Set(digests).size).toBe(1)
})

test('somebody else’s artifact is resolved to its digest and mirrored untouched, after it was read', async () => {
  const theirs = await build(line, inline('theirs', 'x', config('a', '1')), 'theirs')
  const built = await build(
    line,
    `${head}name: three\nnamespace: x\noci_artifact:\n  url: oci://${line.registry.host}/theirs\n  tag: v1\n`,
    'mirrored',
  )
  expect(built.outputs).toMatchObject({ digest: theirs.outputs!.digest, objects: ['_a__ConfigMap'] })
  expect((await line.open('mirrored').resolve('v1', line.ctx)).digest).toBe(theirs.outputs!.digest)
})

test('an artifact is copied from one registry to another', async () => {
  const { outputs } = await build(line, inline('s', 'x', config('a', '1')), 'from')
  const plan = {
    src_registry: `oci://${line.registry.host}/from`,
    src_tag: outputs!.digest,
    dst_registry: `oci://${line.registry.host}/to`,
    dst_tag: 'stable',
  }
  const synced = await line.run({ type: 'oci-sync', operation: 'sync', group: 'sync', plan, timeoutMs: 60_000 })
  expect(synced.outputs).toEqual({
    digest: outputs!.digest,
    artifact: `oci://${line.registry.host}/to@${outputs!.digest}`,
  })
})

test('what was approved is applied: no approval, another plan’s approval and a cluster that moved are refused', async () => {
  await namespace(line, 'approve')
  const built = await build(line, inline('ap', 'approve', config('a', '1')))
  const planned = await plan(line, 'ap', 'approve', built.outputs!)
  const contents = planned.outputs!.plan
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
  expect(await valueOf(line, 'approve', 'a')).toBe('rival')
})

test('a tag that moves after the approval changes nothing of what is applied', async () => {
  await namespace(line, 'moving')
  const text = (value: string) => inline('mv', 'moving', config('a', value))
  await build(line, text('approved'), 'moving')
  const planned = await line.run(
    job('create-apply-plan', {
      ...base('mv', 'moving'),
      kubernetes_manifest: {
        namespace: 'moving',
        oci_artifact: { url: `oci://${line.registry.host}/moving`, tag: 'v1' },
      },
    }),
  )
  await build(line, text('sneaked in'), 'moving')
  await apply(line, 'mv', 'moving', planned.outputs!)
  expect(await valueOf(line, 'moving', 'a')).toBe('approved')
})

test('an approval is used once: another job with it is refused, also after the release is torn down', async () => {
  await namespace(line, 'twice')
  const built = await build(line, inline('tw', 'twice', config('a', '1')))
  const planned = await plan(line, 'tw', 'twice', built.outputs!)
  await apply(line, 'tw', 'twice', planned.outputs!)
  const before = await live(line, 'twice', 'a')
  const again = () => apply(line, 'tw', 'twice', planned.outputs!)
  await expect(again()).rejects.toMatchObject({ code: 'plan.used' })
  expect((await live(line, 'twice', 'a'))?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion)
  // The next revision has the labels of this one, and is not taken for the work of its plan.
  const next = await build(line, inline('tw', 'twice', config('a', '2')))
  await deploy(line, 'tw', 'twice', next.outputs!)
  await expect(again()).rejects.toMatchObject({ code: 'plan.used' })
  expect(await valueOf(line, 'twice', 'a')).toBe('2')
  const down = await line.run(job('create-teardown-plan', base('tw', 'twice')))
  await apply(line, 'tw', 'twice', down.outputs!)
  await expect(again()).rejects.toMatchObject({ code: 'plan.used' })
  expect(await live(line, 'twice', 'a')).toBeUndefined()
})

test('a component that leads out of its folder, or names no repository, is refused and nothing is left', async () => {
  await expect(build(line, `${head}name: out\nnamespace: x\nkustomize:\n  path: ../..\n`)).rejects.toThrow(
    'kustomize.path leads out',
  )
  await expect(
    build(line, `${head}name: bad\nnamespace: x\nkustomize:\n  path: .\npublic_repo:\n  repo: "ext::sh -c id"\n`),
  ).rejects.toThrow('is no repository that Lading fetches')
  await expect(
    build(line, `${head}name: bad\nnamespace: x\nkustomize:\n  path: .\npublic_repo:\n  repo: "--upload-pack=id"\n`),
  ).rejects.toThrow('cannot begin with a dash')
  expect(await readdir(join(line.folder, 'work'))).toEqual([])
})

test('a stored plan that creates and then changes a Secret is applied as it was approved by its hash', async () => {
  await namespace(line, 'hashed')
  const secret = (token: string) =>
    inline('hashed', 'hashed', `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {token: ${token}}\n`)
  for (const token of ['swordfish', 'marlin']) {
    const built = await build(line, secret(token))
    const { outputs } = await plan(line, 'hashed', 'hashed', built.outputs!)
    // Each plan is one of its own, so that it can be used once.
    const other = await plan(line, 'hashed', 'hashed', built.outputs!)
    expect(other.outputs!.plan_hash).not.toBe(outputs!.plan_hash)
    expect(JSON.stringify(outputs)).not.toContain(token)
    const contents = outputs!.plan
    // What is shown to whoever approves has the hash that they approve.
    expect(planHash(maskPlan(contents))).toBe(outputs!.plan_hash)
    expect((await apply(line, 'hashed', 'hashed', outputs!)).outputs).toMatchObject({ outcome: 'deployed' })
  }
})

test('a plan that was altered after its approval is refused, also in its options', async () => {
  await namespace(line, 'altered')
  const built = await build(line, inline('al', 'altered', config('a', '1')))
  const { outputs } = await plan(line, 'al', 'altered', built.outputs!)
  const contents = outputs!.plan
  const options = { ...contents.inputs.options, takeOwnership: true }
  for (const altered of [
    { ...contents, inputs: { ...contents.inputs, options } },
    { ...contents, actions: [] },
    { ...contents, expiresAt: '2999-01-01T00:00:00.000Z' },
    { ...contents, nonce: '0'.repeat(32) },
  ]) {
    const denied = line.run(job('apply-plan', approved('al', 'altered', altered, outputs!.plan_hash)))
    await expect(denied).rejects.toMatchObject({ code: 'approval.denied' })
  }
})
