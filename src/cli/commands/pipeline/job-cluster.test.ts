import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateKeyPair, openRepository, packObjects, pushArtifact } from '../../../oci/index.ts'
import { context, systemClock } from '../../../core/index.ts'
import { type NewJob, openJobStore, type PlanOutputs } from '../../../pipeline/index.ts'
import { type Registry, startRegistry } from '../../../sandbox/index.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'

let staging: CliSandbox
let production: CliSandbox
let registry: Registry

beforeAll(async () => {
  staging = await openCliSandbox()
  production = await openCliSandbox()
  registry = await startRegistry()
})
afterAll(async () => {
  await registry.stop()
  await production.close()
  await staging.close()
})

describe('a job that is left to a runner', () => {
  it('goes to the cluster that it was planned for, and the runner of another one leaves it', async () => {
    staging.write('shop.toml', component('shop', config))
    const planned = await lading(staging, `deploy shop.toml ${to('shop')} --plan-only -o json`)
    const { plan, plan_hash } = JSON.parse(planned.stdout) as PlanOutputs
    const approval = { plan_hash, decision: 'approve', by: 'me', at: '' } as const
    const manifest = { component_id: 'shop', component_name: 'shop', kubernetes_manifest: { namespace: 'default' } }
    const id = await leave({
      operation: 'apply-plan',
      group: 'shop',
      plan: { ...manifest, apply_plan_contents: plan, approval, registry_access: { plain_http: true } },
      cluster: plan.cluster,
    })
    const listed = await lading(staging, 'jobs list --state available')
    expect(listed.stdout).toContain('CLUSTER')
    expect(listed.stdout).toContain(plan.cluster)

    const there = await lading(production, 'runner start --once')
    expect(there.code).toBe(0)
    expect(there.stderr).toContain(`job ${id} is for the cluster ${plan.cluster}, and this runner has the cluster`)
    expect((await lading(production, 'history shop')).code).toBe(8)
    expect(await stateOf(id)).toBe('available')

    expect((await lading(staging, 'runner start --once')).code).toBe(0)
    expect((await lading(staging, 'history shop')).code).toBe(0)
  })

  it('is left alone by a runner that reaches no cluster, which still does the builds', async () => {
    staging.write('other.toml', component('other', config))
    const plan = { component_id: 'shop', component_name: 'shop', kubernetes_manifest: { namespace: 'default' } }
    const id = await leave({ operation: 'detect-drift', group: 'drift', plan, cluster: 'staging' })
    const build = (await lading(staging, `build other.toml ${to('other')} --detach`)).stdout.trim()
    const run = await lading(staging, 'runner start --once --context nowhere')
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining(`leaves job ${id} alone`) })
    expect(await stateOf(build)).toBe('finished')
    expect(await stateOf(id)).toBe('available')
    await lading(staging, `jobs cancel ${id}`)
  })

  it('keeps the keys that it was left with: a runner without any does not mirror what they did not sign', async () => {
    staging.write('key.pub', (await generateKeyPair('')).publicKey)
    const theirs = { registry: registry.host, repository: 'theirs' }
    const target = openRepository(theirs, { plainHttp: true })
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
    await pushArtifact(target, await packObjects([object]), 'v1', context())
    staging.write(
      'mirror.toml',
      `type = "kubernetes_manifest"\nname = "mirror"\nnamespace = "default"\n[oci_artifact]\nurl = "oci://${registry.host}/theirs"\ntag = "v1"\n`,
    )
    const id = (await lading(staging, `build mirror.toml ${to('mirrored')} --verify key.pub --detach`)).stdout.trim()
    await lading(staging, 'runner start --once')
    expect(JSON.parse((await lading(staging, `jobs get ${id} -o json`)).stdout)).toMatchObject({
      state: 'failed',
      error: { code: 'signature.missing' },
    })
    const mirrored = openRepository({ registry: registry.host, repository: 'mirrored' }, { plainHttp: true })
    await expect(mirrored.resolve('v1', context())).rejects.toMatchObject({ code: 'oci.not-found' })
  })
})

describe('a deploy that finds nothing to change', () => {
  it('is a success only if the release is healthy, and says what is not', async () => {
    const health = (enabled: boolean) => `[health]\nenabled = ${enabled}\n`
    staging.write('web.toml', component('web', crashing, health(false)))
    const deploy = () => lading(staging, `deploy web.toml ${to('web')} --approve auto`)
    expect(await deploy()).toMatchObject({ code: 0, stdout: 'default/web deployed (revision 1)\n' })
    expect(await deploy()).toMatchObject({ code: 0, stdout: '0 to change, 1 unchanged\n' })

    staging.write('web.toml', component('web', crashing, health(true)))
    const { code, stdout, stderr } = await deploy()
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' })
    expect(stderr).toContain('Deployment.apps default/web Failed')
    expect(stderr).toContain('no database')
  })
})

const crashing = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata:
      labels: {app: web}
      annotations: {lading.dev/simulate: crash-loop, lading.dev/simulate-logs: no database}
    spec: {containers: [{name: main, image: "nginx:1"}]}
`

function component(name: string, manifest: string, more = ''): string {
  return `type = "kubernetes_manifest"\nname = "${name}"\nnamespace = "default"\nmanifest = '''\n${manifest}'''\n${more}`
}

const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n'

const to = (repository: string) => `--registry oci://${registry.host}/${repository} --tag v1 --plain-http`

/** Enqueues a job of a deploy for whoever can do it. */
async function leave(job: Omit<NewJob<'apply-plan' | 'detect-drift'>, 'type' | 'timeoutMs'>): Promise<string> {
  const store = openJobStore(join(staging.cwd, 'jobs.db'), systemClock, join(staging.cwd, 'jobs.key'))
  try {
    return (await store.enqueue({ ...job, type: 'kubernetes-manifest-deploy', timeoutMs: 60_000 })).id
  } finally {
    store.close()
  }
}

async function stateOf(id: string): Promise<string> {
  return (JSON.parse((await lading(staging, `jobs get ${id} -o json`)).stdout) as { state: string }).state
}

/** A command of either cluster, on the jobs that both share. */
function lading(cli: CliSandbox, command: string) {
  return cli.lading(command, {
    env: { HOME: cli.cwd, LADING_JOBS: join(staging.cwd, 'jobs.db'), LADING_JOBS_KEY: join(staging.cwd, 'jobs.key') },
  })
}
