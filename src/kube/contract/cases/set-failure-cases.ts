import assert from 'node:assert/strict'
import { type KubeObject, refOf } from '../../../core/index.ts'
import { applySet } from '../../set/apply-set.ts'
import { getObject } from '../../read/get.ts'
import { listObjects } from '../../read/list.ts'
import { at, deployment, stored } from '../fixtures/apply-fixtures.ts'
import { type CaseContext, type ContractCase, contractCase } from '../harness.ts'
import { failures, gadgets, inCase, namespaceOf, outcomes, settings, told } from '../fixtures/set-fixtures.ts'

const failureCases: readonly ContractCase[] = [
  contractCase('all errors are found by the preflight, and nothing is written', async (c) => {
    const bad = (name: string): KubeObject => ({ ...settings(name), metadata: { name, labels: { x: 'not valid!' } } })
    const set = await told(c, [settings('good'), bad('bad-1'), bad('bad-2'), bad('bad-3')])
    assert.equal(set.error?.code, 'apply.failed')
    assert.deepEqual(
      failures(set.error?.details).toSorted(),
      ['bad-1', 'bad-2', 'bad-3'].map((name) => `${name} kube.invalid`),
    )
    const list = await listObjects(c.cluster, { gvk: configMaps, namespace: c.namespace }, c.ctx)
    assert.deepEqual(
      names(list.items).filter((name) => name === 'good'),
      [],
    )
  }),
  contractCase('without preflight a failure stops the set after its stage', async (c) => {
    const bad = { ...settings('bad'), metadata: { name: 'bad', labels: { x: 'not valid!' } } }
    const web = { ...deployment(c), metadata: { name: 'web' } }
    const set = await told(c, [bad, settings('beside'), web], { preflight: false })
    assert.equal(set.error?.code, 'apply.failed')
    assert.deepEqual(outcomes(set).toSorted(), ['bad failed', 'beside created', 'web skipped'])
    assert.equal(await getObject(c.cluster, refOf(inCase(c, web)), c.ctx), undefined)
  }),
  contractCase('with onError continue one bad object does not block the others', async (c) => {
    const bad = { ...settings('bad'), metadata: { name: 'bad', labels: { x: 'not valid!' } } }
    const web = { ...deployment(c), metadata: { name: 'web' } }
    const set = await told(c, [bad, settings('beside'), web], { onError: 'continue' })
    assert.equal(set.error, undefined)
    assert.deepEqual(outcomes(set).toSorted(), ['bad failed', 'beside created', 'web created'])
    const failed = set.result?.objects.find((object) => object.action === 'failed')
    assert.equal(failed?.error?.code, 'kube.invalid')
  }),
  contractCase('an invalid object of a kind that the set brings is found before the CRD is written', async (c) => {
    const { crd, gadget } = gadgets(c)
    const set = await told(c, [crd, gadget('wrong', { size: 'large' })])
    assert.deepEqual(failures(set.error?.details), ['wrong kube.invalid'])
    assert.equal(await getObject(c.cluster, refOf(crd), c.ctx), undefined)
  }),
  contractCase('content of a new namespace is dry-run by the server before any of it is written', async (c) => {
    const name = `${c.unique}-new`
    const inside = (one: string, labels = {}): KubeObject => ({
      ...settings(one),
      metadata: { name: one, namespace: name, labels },
    })
    const set = await told(c, [namespaceOf(c, name), inside('good'), inside('bad', { x: 'not valid!' })])
    assert.deepEqual(failures(set.error?.details), ['bad kube.invalid'])
    assert.equal(await getObject(c.cluster, refOf(inside('good')), c.ctx), undefined)
  }),
  contractCase('an identity without rights gets every refusal as data', async (c) => {
    const set = await told(c, [settings('one'), settings('two')], {}, c.unprivileged)
    assert.equal(set.error?.code, 'apply.failed')
    assert.deepEqual(failures(set.error?.details).toSorted(), ['one kube.forbidden', 'two kube.forbidden'])
  }),
  contractCase('leaving the stream early ends the work', async (c) => {
    const set = Array.from({ length: 200 }, (_, index) => settings(`left-${index}`))
    let inFlight = 0
    const counted = {
      ...c.cluster,
      transport: countingTransport(
        c,
        () => inFlight++,
        () => inFlight--,
      ),
    }
    const run = applySet(counted, set, { namespace: c.namespace, preflight: false, concurrency: 4 }, c.ctx)
    for await (const event of run) if (event.type === 'object') break
    assert.equal(inFlight, 0)
    const list = await listObjects(c.cluster, { gvk: configMaps, namespace: c.namespace }, c.ctx)
    assert.ok(list.items.length < 50, `${list.items.length} objects were written`)
  }),
]

const dryRunCases: readonly ContractCase[] = [
  contractCase('a dry-run tells every outcome and writes nothing', async (c) => {
    await told(c, [settings('same'), settings('changed')])
    const set = await told(c, [settings('same'), settings('changed', { a: '2' }), settings('new')], { dryRun: true })
    assert.deepEqual(outcomes(set).toSorted(), ['changed configured', 'new created', 'same unchanged'])
    assert.ok(set.events.every((event) => event.type !== 'object' || event.dryRun))
    assert.equal(at(await stored(c, inCase(c, settings('changed'))), 'data', 'a'), '1')
  }),
  contractCase('a dry-run says what is known only after a CRD or a namespace of the set is there', async (c) => {
    const { crd, gadget } = gadgets(c)
    const name = `${c.unique}-new`
    const inside = { ...settings('inside'), metadata: { name: 'inside', namespace: name } }
    const set = await told(c, [crd, gadget('one'), namespaceOf(c, name), inside, settings('plain')], { dryRun: true })
    assert.equal(set.error, undefined, set.error?.message)
    const reasons = set.events.flatMap((event) => (event.type === 'object' && event.reason ? [event.reason] : []))
    assert.deepEqual(reasons.toSorted(), [
      'known after the stage crds: the set itself brings the kind Gadget',
      `known after the stage namespaces: the set itself brings the namespace ${name}`,
    ])
    assert.deepEqual([set.result?.summary.created, set.result?.summary.skipped], [3, 2])
    assert.equal(await getObject(c.cluster, refOf(crd), c.ctx), undefined)
  }),
  contractCase('a dry-run collects the errors of all stages', async (c) => {
    const bad = { ...settings('bad'), metadata: { name: 'bad', labels: { x: 'not valid!' } } }
    const web = { ...deployment(c, { replicas: -1 }), metadata: { name: 'web' } }
    const set = await told(c, [bad, web], { dryRun: true })
    assert.deepEqual(failures(set.error?.details), ['bad kube.invalid', 'web kube.invalid'])
  }),
]

/** Sets whose objects are wrong, or only tried. */
export const failureAndDryRunCases: readonly ContractCase[] = [...failureCases, ...dryRunCases]

const configMaps = { group: '', version: 'v1', kind: 'ConfigMap' }

function names(objects: readonly KubeObject[]): string[] {
  return objects.map((object) => object.metadata.name)
}

function countingTransport(c: CaseContext, begin: () => void, end: () => void): CaseContext['cluster']['transport'] {
  const { transport } = c.cluster
  return {
    server: transport.server,
    identity: transport.identity,
    stream: (request, ctx) => transport.stream(request, ctx),
    close: () => transport.close(),
    request: async (request, ctx) => {
      begin()
      try {
        return await transport.request(request, ctx)
      } finally {
        end()
      }
    },
  }
}
