import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { planBuild } from './build/build-plan.ts'
import { parseComponent } from './config/read-component.ts'
import { pipelineHandlers } from './handlers.ts'
import { isEnded, type NewJob } from './jobs/job.ts'
import { startRunner } from './jobs/runner.ts'
import { until } from './jobs/testdata/test-jobs.ts'
import { openPipeline, type TestPipeline } from './testdata/open-pipeline.ts'
import { config, inline } from './testdata/pipeline-jobs.ts'

let line: TestPipeline

beforeAll(async () => {
  line = await openPipeline()
})
afterAll(() => line.close())

test('a job whose templates only compute holds up no other job of its runner, and is cancelled like any other', async () => {
  await line.write({
    'app/kustomization.yaml': 'helmCharts: [{name: burn, releaseName: burn}]\n',
    'app/charts/burn/Chart.yaml': 'apiVersion: v2\nname: burn\nversion: 1.0.0\n',
    'app/charts/burn/values.yaml': '{}',
    'app/charts/burn/templates/a.yaml': 'a: {{ range until 1000000 }}{{ bcrypt "x" | trunc 0 }}{{ end }}\n',
  })
  const { jobs, services, ctx } = line
  const begun = new Promise<void>((resolve) => process.once('worker', () => resolve()))
  const burning = await jobs.enqueue(
    building('type: kubernetes_manifest\nname: burn\nnamespace: a\nkustomize: {path: app, enable_helm: true}\n'),
  )
  const runner = startRunner(jobs, pipelineHandlers(services), { worker: 'test' }, ctx)
  await begun
  const other = await jobs.enqueue(building(inline('plain', 'a', config('a', '1'))))
  await until(jobs, async () => isEnded((await jobs.get(other.id))!.state))
  expect(await jobs.get(other.id)).toMatchObject({ state: 'finished' })
  expect(await jobs.get(burning.id)).toMatchObject({ state: 'in-progress' })
  await jobs.cancel(burning.id)
  await until(jobs, async () => isEnded((await jobs.get(burning.id))!.state))
  expect(await jobs.get(burning.id)).toMatchObject({ state: 'cancelled' })
  await runner.stop(0)
})

function building(text: string): NewJob {
  const component = parseComponent(text, 'yaml', join(line.folder, 'component.yaml'))
  const plan = planBuild(component, { registry: `oci://${line.registry.host}/built`, tag: 'v1' })
  const group = `build/${component.name}`
  return { type: 'kubernetes-manifest-build', operation: 'build', group, plan: { ...plan }, timeoutMs: 600_000 }
}
