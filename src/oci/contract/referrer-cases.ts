import assert from 'node:assert/strict'
import { artifact, referrer } from './fixtures.ts'
import { type ContractCase, contractCase } from './harness.ts'

/** What refers to what. */
export const referrerCases: readonly ContractCase[] = [
  contractCase('lists what refers to a manifest, of any type or of one', async (c) => {
    const { d, bytes } = await artifact(c, 'app')
    await c.target.pushTagged(d, bytes, 'v1', c.ctx)
    assert.deepEqual(await c.target.referrers(d, undefined, c.ctx), [])
    const signature = await referrer(c, d, 'application/vnd.example.signature')
    const sbom = await referrer(c, d, 'application/vnd.example.sbom')
    const all = await c.target.referrers(d, undefined, c.ctx)
    assert.deepEqual(all.map(({ digest }) => digest).toSorted(), [signature.d.digest, sbom.d.digest].toSorted())
    assert.deepEqual(await c.target.referrers(d, 'application/vnd.example.sbom', c.ctx), [
      {
        ...sbom.d,
        artifactType: 'application/vnd.example.sbom',
        annotations: { of: 'application/vnd.example.sbom' },
      },
    ])
  }),
  contractCase('lists what refers to a manifest that is not there yet', async (c) => {
    const { d } = await artifact(c, 'later')
    const sbom = await referrer(c, d, 'application/vnd.example.sbom')
    const [found] = await c.target.referrers(d, undefined, c.ctx)
    assert.equal(found?.digest, sbom.d.digest)
  }),
  contractCase('lists all of those that are written at once, each once', async (c) => {
    const { d, bytes } = await artifact(c, 'app')
    await c.target.pushTagged(d, bytes, 'v1', c.ctx)
    const types = Array.from({ length: 6 }, (_, index) => `application/vnd.example.t${index}`)
    await Promise.all([...types, ...types].map((type) => referrer(c, d, type)))
    const all = await c.target.referrers(d, undefined, c.ctx)
    assert.deepEqual(all.map(({ artifactType }) => String(artifactType)).toSorted(), types)
  }),
  contractCase('does not list what is deleted', async (c) => {
    const { d, bytes } = await artifact(c, 'app')
    await c.target.pushTagged(d, bytes, 'v1', c.ctx)
    const sbom = await referrer(c, d, 'application/vnd.example.sbom')
    await c.target.delete(sbom.d, c.ctx)
    assert.deepEqual(await c.target.referrers(d, undefined, c.ctx), [])
  }),
]
