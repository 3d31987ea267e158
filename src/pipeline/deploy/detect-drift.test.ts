import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyObject, createObject, deleteObject, patchObject } from '../../kube/index.ts'
import { openPipeline, type TestPipeline } from '../testdata/open-pipeline.ts'
import { base, build, config, deploy, inline, job, namespace, object, valueOf } from '../testdata/pipeline-jobs.ts'

let line: TestPipeline

beforeAll(async () => {
  line = await openPipeline()
})
afterAll(() => line.close())

test('drift is found: a changed object, a missing one, an orphan, and a tag that names another artifact', async () => {
  await namespace(line, 'drift')
  const built = await build(line, inline('dr', 'drift', config('a', '1') + config('b', '1')), 'drifting')
  await deploy(line, 'dr', 'drift', built.outputs!)
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
  await build(line, inline('dr', 'drift', config('a', '9')), 'drifting')
  expect((await look()).outputs).toMatchObject({
    result: 'drift-detected',
    artifact: { changed: true, deployed: built.outputs!.digest },
    objects: [
      { id: 'drift_a__ConfigMap', state: 'modified', changes: [{ path: '.data.value', manager: 'rival' }] },
      { id: 'drift_b__ConfigMap', state: 'missing' },
      { id: 'drift_o__ConfigMap', state: 'orphan' },
    ],
  })
})

test('drift is undone where that is wanted, and a dependency that is not deployed holds a deploy up', async () => {
  await namespace(line, 'undo')
  const built = await build(line, inline('un', 'undo', config('a', '1')))
  const waiting = line.run(
    job('create-apply-plan', {
      ...base('un', 'undo'),
      dependencies: ['db'],
      kubernetes_manifest: {
        namespace: 'undo',
        oci_artifact: { url: `oci://${line.registry.host}/built`, digest: built.outputs!.digest },
      },
    }),
  )
  await expect(waiting).rejects.toThrow('un depends on undo/db, which is not deployed: deploy that first')
  await deploy(line, 'un', 'undo', built.outputs!)
  await applyObject(line.cluster, object('undo', 'a', 'x'), { fieldManager: 'rival', conflicts: 'force' }, line.ctx)
  const undone = await line.run(job('detect-drift', { ...base('un', 'undo'), correct_drift: true }))
  expect(undone.outputs).toMatchObject({ result: 'drift-detected', corrected: true, left: false, revision: 2 })
  expect(await valueOf(line, 'undo', 'a')).toBe('1')
})

test('fields that others added are told apart, stay in a correction, and go where that is wanted', async () => {
  await namespace(line, 'adding')
  const built = await build(line, inline('ad', 'adding', config('a', '1')), 'adding')
  await deploy(line, 'ad', 'adding', built.outputs!)
  const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace: 'adding', name: 'a' }
  const theirs = { data: { value: 'x', extra: 'secret-looking' } }
  await patchObject(line.cluster, ref, theirs, { type: 'merge', fieldManager: 'rival' }, line.ctx)
  const look = (more: object) => line.run(job('detect-drift', { ...base('ad', 'adding'), ...more }))
  const { outputs } = await look({ correct_drift: true })
  expect(outputs).toMatchObject({
    corrected: true,
    left: true,
    objects: [
      {
        state: 'modified',
        changes: [{ path: '.data.value', manager: 'rival' }],
        added: [{ path: '.data.extra', manager: 'rival' }],
      },
    ],
  })
  expect(JSON.stringify(outputs)).not.toContain('secret-looking')
  expect((await look({ ignore_managers: ['rival'] })).outputs).toMatchObject({ result: 'no-drift' })
  const removing = await look({ correct_drift: true, remove_foreign_fields: true })
  expect(removing.outputs).toMatchObject({ corrected: true, left: false, objects: [{ state: 'added' }] })
  expect((await look({})).outputs).toMatchObject({ result: 'no-drift' })
})
