import assert from 'node:assert/strict'
import type { FieldConflict, KubeObject, LadingError } from '../../../core/index.ts'
import { refOf } from '../../../core/index.ts'
import { applyObject } from '../../apply/apply.ts'
import { patchObject } from '../../apply/patch.ts'
import {
  apply,
  at,
  beforeRequests,
  configMap,
  deployment,
  failure,
  objectIn,
  stored,
} from '../fixtures/apply-fixtures.ts'
import { type CaseContext, type ContractCase, contractCase } from '../harness.ts'

/** Conflicts with other field managers. */
export const conflictCases: readonly ContractCase[] = [
  contractCase('a conflict names manager, operation, path and both values, and changes nothing', async (c) => {
    await apply(c, configMap(c, { a: 'theirs', b: 'theirs' }), { fieldManager: 'other' })
    const error = await failure(apply(c, configMap(c, { a: 'ours', b: 'theirs', c: 'new' })), 'kube.field-conflict')
    assert.deepEqual(conflictsOf(error), [
      { manager: 'other', operation: 'Apply', apiVersion: 'v1', path: '.data.a', ours: 'ours', theirs: 'theirs' },
    ])
    assert.deepEqual((await stored(c, configMap(c, {})))['data'], { a: 'theirs', b: 'theirs' })
  }),
  contractCase('a dry-run reports the same conflicts', async (c) => {
    await apply(c, configMap(c, { a: 'theirs' }), { fieldManager: 'other' })
    const error = await failure(apply(c, configMap(c, { a: 'ours' }), { dryRun: true }), 'kube.field-conflict')
    assert.deepEqual(
      conflictsOf(error).map(({ path }) => path),
      ['.data.a'],
    )
  }),
  contractCase('conflicts inside list items and under dotted keys carry their values', async (c) => {
    const image = (name: string): object => ({ containers: [{ name: 'app', image: `registry.invalid/${name}` }] })
    const labelled = (value: string): KubeObject => {
      const object = deployment(c, {}, image(value))
      object.metadata.labels = { 'app.kubernetes.io/part-of': value }
      return object
    }
    await apply(c, labelled('a'), { fieldManager: 'other' })
    const error = await failure(apply(c, labelled('b')), 'kube.field-conflict')
    const found = conflictsOf(error).map(({ path, ours, theirs }) => ({ path, ours, theirs }))
    assert.deepEqual(
      found.toSorted((a, b) => a.path.localeCompare(b.path)),
      [
        { path: '.metadata.labels.app.kubernetes.io/part-of', ours: 'b', theirs: 'a' },
        {
          path: '.spec.template.spec.containers[name="app"].image',
          ours: 'registry.invalid/b',
          theirs: 'registry.invalid/a',
        },
      ],
    )
  }),
  contractCase('the values of a Secret are masked in a conflict', async (c) => {
    const secret = (value: string): KubeObject => objectIn(c, 'v1', 'Secret', 'key', { stringData: { pass: value } })
    await apply(c, secret('their-password'), { fieldManager: 'other' })
    const error = await failure(apply(c, secret('our-password')), 'kube.field-conflict')
    const [conflict] = conflictsOf(error)
    assert.equal(conflict?.path, '.data.pass')
    assert.match(String(conflict.ours), /^\*\*\*[0-9a-f]{8}$/)
    assert.notEqual(conflict.ours, conflict.theirs)
    const shown = JSON.stringify(error)
    for (const value of ['their-password', 'our-password']) {
      assert.ok(!shown.includes(value) && !shown.includes(Buffer.from(value).toString('base64')))
    }
  }),
  contractCase('force takes the fields and says which', async (c) => {
    await apply(c, configMap(c, { a: 'theirs' }), { fieldManager: 'other' })
    const { action, overridden } = await apply(c, configMap(c, { a: 'ours' }), { conflicts: 'force' })
    assert.equal(action, 'configured')
    assert.deepEqual(
      overridden.map(({ path, manager }) => [path, manager]),
      [['.data.a', 'other']],
    )
    assert.equal((await apply(c, configMap(c, { a: 'ours' }))).action, 'unchanged')
  }),
  contractCase('equal values are shared without a conflict', async (c) => {
    await apply(c, configMap(c, { a: 'same' }), { fieldManager: 'other' })
    const { overridden, object } = await apply(c, configMap(c, { a: 'same' }))
    assert.deepEqual(overridden, [])
    assert.equal(object.metadata.managedFields?.length, 2)
  }),
  contractCase('after kubectl scale a rule leaves the replicas to it and applies the rest', async (c) => {
    await apply(c, deployment(c, { replicas: 0 }))
    await scale(c, 1)
    const conflicts = [{ path: '.spec.replicas', take: 'theirs' }] as const
    const desired = deployment(c, { replicas: 0, minReadySeconds: 5 })
    const error = await failure(apply(c, desired), 'kube.field-conflict')
    const scaled = { manager: 'kubectl', operation: 'Update', subresource: 'scale', apiVersion: 'apps/v1' }
    assert.deepEqual(conflictsOf(error), [{ ...scaled, path: '.spec.replicas', ours: 0, theirs: 1 }])
    const { yielded, object } = await apply(c, desired, { conflicts })
    assert.deepEqual(
      yielded.map(({ path }) => path),
      ['.spec.replicas'],
    )
    assert.deepEqual([at(object, 'spec', 'replicas'), at(object, 'spec', 'minReadySeconds')], [1, 5])
    assert.equal(at(await stored(c, desired), 'spec', 'replicas'), 1)
  }),
  contractCase('a rule for one field does not excuse another', async (c) => {
    await apply(c, configMap(c, { a: 'theirs', b: 'theirs' }), { fieldManager: 'other' })
    const conflicts = [{ path: '.data.a', take: 'ours' }] as const
    const error = await failure(apply(c, configMap(c, { a: 'ours', b: 'ours' }), { conflicts }), 'kube.field-conflict')
    assert.deepEqual(
      conflictsOf(error).map(({ path }) => path),
      ['.data.b'],
    )
    assert.deepEqual((await stored(c, configMap(c, {})))['data'], { a: 'theirs', b: 'theirs' })
  }),
  contractCase('rules take one field and leave another in one apply; the first that fits wins', async (c) => {
    await apply(c, configMap(c, { a: 'theirs', b: 'theirs' }), { fieldManager: 'other' })
    const conflicts = [
      { path: '.data.a', manager: 'somebody', take: 'theirs' },
      { path: 'data.a', manager: 'oth*', kind: 'ConfigMap', take: 'ours' },
      { path: '.data.*', take: 'theirs' },
    ] as const
    const result = await apply(c, configMap(c, { a: 'ours', b: 'ours' }), { conflicts })
    assert.deepEqual(result.object['data'], { a: 'ours', b: 'theirs' })
    assert.deepEqual([result.overridden.length, result.yielded.length], [1, 1])
  }),
  contractCase('leaving every field to others owns nothing of the map', async (c) => {
    await apply(c, configMap(c, { a: 'theirs' }), { fieldManager: 'other' })
    const conflicts = [{ path: '.data.*', take: 'theirs' }] as const
    const { object } = await apply(c, configMap(c, { a: 'ours' }), { conflicts })
    assert.deepEqual(object['data'], { a: 'theirs' })
    const ours = object.metadata.managedFields?.find(({ manager }) => manager === 'lading')
    assert.equal(at(ours, 'fieldsV1', 'f:data'), undefined)
  }),
  contractCase('a forced apply judges again when the object changes under it', async (c) => {
    await apply(c, configMap(c, { a: 'theirs' }), { fieldManager: 'other' })
    const desired = configMap(c, { a: 'ours', b: 'ours' })
    let patches = 0
    const busy = beforeRequests(c.cluster, async ({ method }) => {
      if (method !== 'PATCH' || ++patches !== 2) return
      await patchObject(
        c.cluster,
        refOf(desired),
        { data: { b: 'late' } },
        { type: 'merge', fieldManager: 'late' },
        c.ctx,
      )
    })
    const conflicts = [{ path: '.data.a', take: 'ours' }] as const
    const error = await failure(applyObject(busy, desired, { conflicts }, c.ctx), 'kube.field-conflict')
    assert.deepEqual(
      conflictsOf(error).map(({ path, manager }) => [path, manager]),
      [['.data.b', 'late']],
    )
    assert.deepEqual((await stored(c, desired))['data'], { a: 'theirs', b: 'late' })
  }),
]

function conflictsOf(error: LadingError): readonly FieldConflict[] {
  return error.details.conflicts ?? []
}

/** What `kubectl scale` sends. */
async function scale(c: CaseContext, replicas: number): Promise<void> {
  const options = { type: 'merge', subresource: 'scale', fieldManager: 'kubectl' } as const
  await patchObject(c.cluster, refOf(deployment(c)), { spec: { replicas } }, options, c.ctx)
}
