import { expect, it } from 'vitest'
import type { SavedPlan } from '../../release/index.ts'
import type { BuildPlan } from '../build/build-plan.ts'
import { newJob } from '../contract/sample-jobs.ts'
import { type Job, jobOf, type JobProgress } from './job.ts'
import { shownJob } from './shown-job.ts'

const progress: JobProgress = {
  id: 'a',
  group: 'build/a',
  state: 'finished',
  timeoutMs: 1,
  attempt: 1,
  maxRetries: 0,
  lost: 0,
  fence: 1,
  dueAt: 0,
  cancelRequested: false,
  createdAt: 0,
}
const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: key}\nstringData: {token: swordfish}\n'
const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n'

it('a job is shown without the values of Secrets in its manifest', () => {
  const shown = manifestOf(`${config}---\n${secret}`)
  expect(shown).toContain('name: settings')
  expect(shown).toMatch(/token: "?\*\*\*[0-9a-f]{8}/)
  expect(shown).not.toContain('swordfish')
})

it.each([config, 'deploy.yaml'])('what holds no Secret is shown as it was written: %j', (manifest) => {
  expect(manifestOf(manifest)).toBe(manifest)
})

it('a manifest that cannot be read is not shown', () => {
  expect(manifestOf(`${secret}  broken: [`)).not.toContain('swordfish')
})

it('a repository is shown without its user and password', () => {
  const { plan } = shownBuild(
    buildJob({
      git_source: { url: 'https://me:swordfish@git.example/shop.git', path: '.', recurse_submodules: false },
    }),
  )
  expect(plan.git_source).toMatchObject({ url: 'https://git.example/shop.git', path: '.' })
})

it('a job is shown without the seed of the plan that it made or applies', () => {
  const plan = { inputs: { content: { source: 'oci://a/b', seed: 'swordfish' }, options: {} } } as unknown as SavedPlan
  const request = { component_id: 'a', component_name: 'a', kubernetes_manifest: { namespace: 'b' } }
  const shown = jobOf(
    shownJob({
      ...progress,
      type: 'kubernetes-manifest-deploy',
      operation: 'create-apply-plan',
      plan: { ...request, apply_plan_contents: plan },
      outputs: { plan, plan_hash: 'sha256:0', unchanged: false, changes: [], text: '' },
    }),
    'create-apply-plan',
  )
  expect(JSON.stringify(shown)).not.toContain('swordfish')
  expect(shown.plan.apply_plan_contents).toMatchObject({ inputs: { content: { source: 'oci://a/b', seed: '***' } } })
  expect(shown.outputs).toMatchObject({ unchanged: false, plan: { inputs: { content: { seed: '***' } } } })
})

it('a job is shown without the values of inputs that a manifest file may put into a Secret', () => {
  const { plan } = shownBuild(
    manifestJob({ inline_manifest: 'deploy.yaml', manifest_inputs: { token: 'swordfish', n: 3 } }),
  )
  expect(plan.kubernetes_manifest_build_plan).toMatchObject({
    manifest_inputs: { token: expect.stringMatching(/^\*\*\*/), n: expect.stringMatching(/^\*\*\*/) },
  })
})

function manifestOf(text: string): unknown {
  return shownBuild(manifestJob({ inline_manifest: text })).plan.kubernetes_manifest_build_plan.inline_manifest
}

function shownBuild(job: Job): Job<'build'> {
  return jobOf(shownJob(job), 'build')
}

function manifestJob(manifest: Partial<BuildPlan['kubernetes_manifest_build_plan']>): Job {
  const { plan } = newJob()
  return buildJob({ kubernetes_manifest_build_plan: { ...plan.kubernetes_manifest_build_plan, ...manifest } })
}

function buildJob(more: Partial<BuildPlan>): Job {
  const { type, operation, plan } = newJob()
  return { ...progress, type, operation, plan: { ...plan, ...more } }
}
