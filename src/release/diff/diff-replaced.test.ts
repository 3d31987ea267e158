import { beforeEach, describe, expect, it } from 'vitest'
import type { KubeObject } from '../../core/index.ts'
import { config, deployment } from '../testdata/release-objects.ts'
import { type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'
import type { FieldChange } from './diff-objects.ts'

describe.each(['memory', 'helm'] as const)('a plan that replaces an object (%s store)', (driver) => {
  const releases = sandboxReleases()
  let shop: SandboxRelease

  beforeEach(async () => {
    shop = await releases.make({ driver })
  })

  it('shows what changes of a Deployment, and none of its defaults', async () => {
    await shop.install([deployment('web', { replicas: 2 })], { wait: true })
    const labels = { app: 'other' }
    const main = { name: 'main', image: 'registry.example/x:1' }
    const template = { metadata: { labels, annotations: {} }, spec: { containers: [main] } }
    const next = deployment('web', { spec: { selector: { matchLabels: labels }, template } })
    expect(await changes(next)).toEqual([
      { path: '.spec.replicas', before: 2 },
      { path: '.spec.selector.matchLabels.app', before: 'web', after: 'other' },
      { path: '.spec.template.metadata.labels.app', before: 'web', after: 'other' },
    ])
  })

  it('shows what changes of a Job, and nothing that its controller added', async () => {
    const job = (image: string, env?: object[]): KubeObject => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'job' },
      spec: {
        template: {
          spec: {
            restartPolicy: 'Never',
            containers: [{ name: 'main', image, ...(env === undefined ? {} : { env }) }],
          },
        },
      },
    })
    const own = [{ name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }]
    await shop.install([job('registry.example/x:1', own)], { wait: true })
    const at = '.spec.template.spec.containers[name="main"]'
    expect(await changes(job('registry.example/x:2', own))).toEqual([
      { path: `${at}.image`, before: 'registry.example/x:1', after: 'registry.example/x:2' },
    ])
    expect((await changes(job('registry.example/x:1'))).map(({ path }) => path)).toEqual([`${at}.env`])
  })

  it('shows what changes of a Service, and no address', async () => {
    const service = (spec: object): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'svc' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80 }], ...spec },
    })
    await shop.install([service({})])
    expect(await changes(service({ clusterIP: 'None' }))).toMatchObject([{ path: '.spec.clusterIP', after: 'None' }])
  })

  it('shows what changes of an immutable ConfigMap', async () => {
    await shop.install([{ ...config('a', '1'), immutable: true }])
    expect(await changes({ ...config('a', '2'), immutable: true })).toMatchObject([
      { path: '.data.value', before: '1', after: '2' },
    ])
  })

  async function changes(object: KubeObject): Promise<readonly FieldChange[]> {
    const { plan } = await shop.planUpgrade([object], { replace: true })
    expect(plan.actions.map(({ action }) => action)).toEqual(['replace'])
    return (plan.actions[0]?.changes ?? []).toSorted((a, b) => (a.path < b.path ? -1 : 1))
  }
})
