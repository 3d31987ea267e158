import { afterAll, beforeAll, expect, test } from 'vitest'
import { planHash } from '../../release/index.ts'
import { openPipeline, type TestPipeline } from '../testdata/open-pipeline.ts'
import { apply, build, config, inline, live, namespace, plan } from '../testdata/pipeline-jobs.ts'

let staging: TestPipeline
let production: TestPipeline

beforeAll(async () => {
  staging = await openPipeline()
  production = await openPipeline()
})
afterAll(async () => {
  await staging.close()
  await production.close()
})

test('a plan that was approved for one cluster is not applied to another, and its hash is another there', async () => {
  const built = await build(staging, inline('shop', 'shop', config('a', '1')))
  await namespace(staging, 'shop')
  await namespace(production, 'shop')
  const { outputs } = await plan(staging, 'shop', 'shop', built.outputs!)
  const there = await plan(production, 'shop', 'shop', built.outputs!)
  expect(planHash(outputs!.plan)).not.toBe(there.outputs!.plan_hash)

  await expect(apply(production, 'shop', 'shop', outputs!)).rejects.toMatchObject({ code: 'plan.wrong-cluster' })
  expect(await live(production, 'shop', 'a')).toBeUndefined()
  expect((await apply(staging, 'shop', 'shop', outputs!)).outputs).toMatchObject({ outcome: 'deployed' })
})
