import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeFiles } from '../../../../testing/write-files.ts'
import { context } from '../../../core/index.ts'
import { connect, getObject } from '../../../kube/index.ts'
import { type Registry, startRegistry } from '../../../sandbox/index.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'
import type { CliWorld } from '../../testdata/run-cli.ts'

let cli: CliSandbox
let registry: Registry
let counter = 0

beforeAll(async () => {
  cli = await openCliSandbox()
  registry = await startRegistry()
  for (const name of ['ours', 'theirs']) await lading(`generate-key ${name}`)
})
afterAll(async () => {
  await registry.stop()
  await cli.close()
})

const lading = (command: string, world: Partial<CliWorld> = {}) => {
  const env = { HOME: cli.cwd, COSIGN_PASSWORD: 'x', ...world.env }
  return cli.lading(command, { ...world, env })
}
const read = (file: string) => JSON.parse(readFileSync(join(cli.cwd, file), 'utf8')) as Record<string, unknown>
const change = (file: string, with_: object) =>
  writeFileSync(join(cli.cwd, file), JSON.stringify({ ...read(file), ...with_ }))

describe('apply --verify-plan', () => {
  beforeEach(async () => {
    counter += 1
    cli.namespace = `signed-${counter}`
    cli.write('blue.yaml', content('blue'))
    cli.write('red.yaml', content('red'))
    await lading('install shop blue.yaml --create-namespace')
  })

  it('applies what one of the keys signed, when it was planned or later', async () => {
    await lading('plan upgrade shop red.yaml --out plan.json --sign ours.key')
    expect((await lading('apply plan.json --verify-plan theirs.pub --verify-plan ours.pub')).code).toBe(0)
    await lading('plan upgrade shop blue.yaml --out plan.json')
    expect(JSON.parse((await lading('sign plan.json --key ours.key -o json')).stdout)).toMatchObject({ signed: true })
    expect(statSync(join(cli.cwd, 'plan.json')).mode & 0o777).toBe(0o600)
    await lading('sign plan.json --key ours.key')
    expect(read('plan.json')['signatures']).toHaveLength(1)
    expect((await lading('apply plan.json', { env: { LADING_VERIFY_PLAN: 'ours.pub' } })).code).toBe(0)
  })

  it('refuses an unsigned plan, one that another key signed, and one that was altered, before it reaches a cluster', async () => {
    const nowhere = '--context nowhere --verify-plan ours.pub'
    await lading('plan upgrade shop red.yaml --out plan.json')
    expect(await lading(`apply plan.json ${nowhere}`)).toMatchObject({
      code: 9,
      stderr: expect.stringContaining('is not signed') as unknown,
    })
    const byEnv = await lading('apply plan.json --context nowhere', { env: { LADING_VERIFY_PLAN: 'ours.pub' } })
    expect(byEnv.code).toBe(9)
    await lading('sign plan.json --key theirs.key')
    expect(await lading(`apply plan.json ${nowhere}`)).toMatchObject({
      code: 9,
      stderr: expect.stringContaining('none of the keys signed the plan') as unknown,
    })
    await lading('sign plan.json --key ours.key')
    const { inputs } = read('plan.json') as { inputs: { options: object } }
    for (const altered of [
      { inputs: { ...inputs, options: { ...inputs.options, historyMax: 1 } } },
      { expiresAt: '2999-01-01T00:00:00.000Z' },
      { nonce: 'f'.repeat(32) },
      { actions: [] },
    ]) {
      const saved = readFileSync(join(cli.cwd, 'plan.json'), 'utf8')
      change('plan.json', altered)
      expect((await lading(`apply plan.json ${nowhere}`)).code).toBe(9)
      writeFileSync(join(cli.cwd, 'plan.json'), saved)
    }
    expect((await lading('apply plan.json --verify-plan ours.pub')).code).toBe(0)
  })
})

describe('deploy --approve FILE', () => {
  const to = () => `--registry oci://${registry.host}/shop --plain-http`
  const approve = (plan_hash: unknown) =>
    cli.write('approval.json', JSON.stringify({ plan_hash, decision: 'approve', by: 'me', at: '' }))
  const planned = async (command: string) =>
    JSON.parse((await lading(`deploy ${command} --plan-only -o json`)).stdout) as { plan_hash: string }

  beforeEach(() => {
    cli.namespace = 'default'
  })

  it('applies the stored plan of a changed Secret, and only once', async () => {
    const secret = (token: string) =>
      component('key', `kind: Secret\nmetadata: {name: key}\nstringData: {token: ${token}}\n`)
    for (const token of ['swordfish', 'marlin']) {
      cli.write('key.toml', secret(token))
      approve((await planned(`key.toml ${to()}`)).plan_hash)
      const applied = await lading('deploy key.toml --plain-http --approve approval.json')
      expect(applied).toMatchObject({ code: 0 })
      expect(Buffer.from(await secretValue('key', 'token'), 'base64').toString()).toBe(token)
    }
    await lading('deploy key.toml --teardown --approve auto')
    expect(await lading('deploy key.toml --plain-http --approve approval.json')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('was applied before') as unknown,
    })
    expect((await lading('history key')).code).toBe(8)
  })

  it('applies the random values of the plan that was approved', async () => {
    const template =
      'apiVersion: v1\nkind: Secret\nmetadata: {name: random}\ndata: {token: {{ randAlphaNum 24 | b64enc | b64enc }}}\n'
    await writeFiles(join(cli.cwd, 'random'), {
      'Chart.yaml': 'apiVersion: v2\nname: random\nversion: 1.0.0\n',
      'templates/secret.yaml': template,
    })
    expect(await lading(`push oci://${registry.host}/charts random --plain-http`)).toMatchObject({ code: 0 })
    const artifact = `--artifact oci://${registry.host}/charts/random:1.0.0 --plain-http`
    cli.write('random.toml', component('random', 'kind: ConfigMap\nmetadata: {name: unused}\n'))
    approve((await planned(`random.toml ${artifact}`)).plan_hash)
    // Another plan in between draws other values.
    await planned(`random.toml ${artifact}`)
    expect(await lading(`deploy random.toml ${artifact} --approve approval.json`)).toMatchObject({ code: 0 })
    expect(await secretValue('random', 'token')).not.toBe('')
  })

  it('is refused if flags ask for another plan than the approved one', async () => {
    cli.write('flags.toml', component('flags', 'kind: ConfigMap\nmetadata: {name: flags}\n'))
    approve((await planned(`flags.toml ${to()}`)).plan_hash)
    for (const flag of ['--replace', '--take-ownership', '--teardown']) {
      expect(await lading(`deploy flags.toml ${flag} --approve approval.json`)).toMatchObject({
        code: 6,
        stderr: expect.stringContaining(`another ${flag}`) as unknown,
      })
    }
  })

  it('is refused unless one of the keys that are demanded signed the plan or the approval', async () => {
    cli.write('demand.toml', component('demand', 'kind: ConfigMap\nmetadata: {name: demand}\n'))
    approve((await planned(`demand.toml ${to()} --verify-plan ours.pub`)).plan_hash)
    const deploy = () => lading('deploy demand.toml --plain-http --approve approval.json')
    expect(await deploy()).toMatchObject({ code: 9, stderr: expect.stringContaining('is not signed') as unknown })
    await lading('sign approval.json --key theirs.key')
    expect((await deploy()).code).toBe(9)
    await lading('sign approval.json --key ours.key')
    expect((await deploy()).code).toBe(0)
    cli.write('denial.json', JSON.stringify({ ...read('approval.json'), decision: 'deny' }))
    expect((await lading('sign denial.json --key ours.key')).code).toBe(2)
  })

  it('applies a plan of a file, signed there, as long as it is the plan of the component', async () => {
    cli.write('file.toml', component('file', 'kind: ConfigMap\nmetadata: {name: file}\n'))
    cli.write('else.toml', component('else', 'kind: ConfigMap\nmetadata: {name: else}\n'))
    await lading(`deploy file.toml ${to()} --plan-only --out file.json`)
    expect(statSync(join(cli.cwd, 'file.json')).mode & 0o777).toBe(0o600)
    expect((await lading('deploy else.toml --plan file.json --approve auto')).stderr).toContain('not for default/else')
    const deploy = 'deploy file.toml --plan file.json --plain-http --approve auto --verify-plan ours.pub'
    expect((await lading(deploy)).code).toBe(9)
    await lading('sign file.json --key ours.key')
    expect(await lading(deploy)).toMatchObject({ code: 0, stdout: 'default/file deployed (revision 1)\n' })
  })
})

async function secretValue(name: string, key: string): Promise<string> {
  const cluster = await connect({ kubeconfig: cli.sandbox.kubeconfig }, context())
  try {
    const ref = { group: '', version: 'v1', kind: 'Secret', namespace: 'default', name }
    const data = (await getObject(cluster, ref, context()))?.['data'] as Record<string, string> | undefined
    return data?.[key] ?? ''
  } finally {
    await cluster.close()
  }
}

function component(name: string, manifest: string): string {
  return `type = "kubernetes_manifest"\nname = "${name}"\nnamespace = "default"\nmanifest = """\napiVersion: v1\n${manifest}"""\n`
}

function content(colour: string): string {
  return `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {colour: ${colour}}
---
apiVersion: v1
kind: Secret
metadata: {name: key}
stringData: {token: swordfish}
`
}
