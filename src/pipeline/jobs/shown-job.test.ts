import { expect, it } from 'vitest'
import type { Job } from './job.ts'
import { shownJob } from './shown-job.ts'

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
  const { plan } = shownJob(job({ git_source: { url: 'https://me:swordfish@git.example/shop.git', path: '.' } }))
  expect(plan['git_source']).toEqual({ url: 'https://git.example/shop.git', path: '.' })
})

it('a job is shown without the seed of the plan that it made or applies', () => {
  const plan = { inputs: { content: { source: 'oci://a/b', seed: 'swordfish' }, options: {} } }
  const shown = shownJob({ ...job({ apply_plan_contents: plan }), outputs: { plan, unchanged: false } })
  expect(JSON.stringify(shown)).not.toContain('swordfish')
  expect(shown.plan['apply_plan_contents']).toMatchObject({ inputs: { content: { source: 'oci://a/b', seed: '***' } } })
  expect(shown.outputs).toMatchObject({ unchanged: false, plan: { inputs: { content: { seed: '***' } } } })
})

it('a job is shown without the values of inputs that a manifest file may put into a Secret', () => {
  const build = { source_type: 'inline', inline_manifest: 'deploy.yaml', manifest_inputs: { token: 'swordfish', n: 3 } }
  const { plan } = shownJob(job({ kubernetes_manifest_build_plan: build }))
  expect(plan['kubernetes_manifest_build_plan']).toMatchObject({
    manifest_inputs: { token: expect.stringMatching(/^\*\*\*/), n: expect.stringMatching(/^\*\*\*/) },
  })
})

function manifestOf(text: string): unknown {
  const { plan } = shownJob(job({ kubernetes_manifest_build_plan: { source_type: 'inline', inline_manifest: text } }))
  return (plan['kubernetes_manifest_build_plan'] as Record<string, unknown>)['inline_manifest']
}

function job(plan: Job['plan']): Job {
  return {
    id: 'a',
    type: 'kubernetes-manifest-build',
    operation: 'build',
    group: 'build/a',
    state: 'finished',
    plan,
    timeoutMs: 1,
    attempt: 1,
    maxRetries: 0,
    lost: 0,
    fence: 1,
    dueAt: 0,
    cancelRequested: false,
    createdAt: 0,
  }
}
