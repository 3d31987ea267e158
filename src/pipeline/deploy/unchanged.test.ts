import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPipeline, type TestPipeline } from '../testdata/open-pipeline.ts'
import { apply, approved, build, config, deploy, inline, job, namespace, plan } from '../testdata/pipeline-jobs.ts'

let line: TestPipeline

beforeAll(async () => {
  line = await openPipeline()
})
afterAll(() => line.close())

test('a deploy of the same artifact makes no revision, although every plan has a label of its own', async () => {
  await namespace(line, 'same')
  const { outputs } = await build(line, inline('same', 'same', config('a', '1')))
  expect((await deploy(line, 'same', 'same', outputs!)).outputs).toMatchObject({ outcome: 'deployed', revision: 1 })
  expect((await deploy(line, 'same', 'same', outputs!)).outputs).toMatchObject({ outcome: 'unchanged', revision: 1 })
})

test('a deploy that changes nothing fails while the release is not healthy', async () => {
  await namespace(line, 'ill')
  const { outputs } = await build(line, inline('ill', 'ill', crashing))
  const first = (await plan(line, 'ill', 'ill', outputs!)).outputs!.plan
  await line.run(job('apply-plan', { ...approved('ill', 'ill', first), wait: false }))
  const again = await plan(line, 'ill', 'ill', outputs!)
  expect(again.outputs).toMatchObject({ unchanged: true })
  await expect(apply(line, 'ill', 'ill', again.outputs!)).rejects.toThrow('is unchanged at revision 1, but not healthy')
})

const crashing = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web, lading.dev/simulate: crash-loop}}
    spec: {containers: [{name: main, image: registry.example/x:1}]}
`
