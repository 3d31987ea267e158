import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { config, deployment } from '../testdata/manifests.ts'
import { type CliSandbox, openCliSandbox } from '../testdata/cli-sandbox.ts'

describe('options of commands on releases', () => {
  let cli: CliSandbox
  let counter = 0

  beforeAll(async () => {
    cli = await openCliSandbox()
    cli.write('blue.yaml', config('blue'))
    cli.write('red.yaml', config('red'))
    cli.write('unready.yaml', unready)
  })

  afterAll(() => cli.close())

  beforeEach(() => {
    counter += 1
    cli.namespace = `n${counter}`
  })

  it('install names each object that is refused once, with its reason', async () => {
    const odd = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\nnonsense: 1\n`
    const world = { stdin: `${odd('a')}---\n${odd('b')}` }
    const { code, stderr } = await cli.lading('install shop - -n default', world)
    expect(code).toBe(4)
    const [headline = '', ...rest] = lines(stderr)
    expect(headline).toBe('error: 2 objects cannot be applied: ConfigMap default/a, ConfigMap default/b')
    expect(rest.slice(0, 2)).toEqual([
      expect.stringMatching(/^ {2}ConfigMap default\/a: .*unknown field "nonsense"$/),
      expect.stringMatching(/^ {2}ConfigMap default\/b: .*unknown field "nonsense"$/),
    ])
  })

  it('install --wait does not wait for the end of a Job, and --wait-for-jobs does', async () => {
    cli.write('job.yaml', endless)
    expect((await cli.lading('install shop job.yaml --create-namespace --wait')).code).toBe(0)
    expect((await cli.lading('uninstall shop')).code).toBe(0)
    const { code, stderr } = await cli.lading('install shop job.yaml --wait --wait-for-jobs --timeout 1s')
    expect([code, stderr.includes(`Job.batch ${cli.namespace}/endless InProgress`)]).toEqual([7, true])
  })

  it('--wait-for-jobs without --wait or --atomic is refused, for it would wait for nothing', async () => {
    await cli.lading('install shop blue.yaml --create-namespace')
    for (const command of ['install other blue.yaml', 'upgrade shop blue.yaml', 'rollback shop']) {
      expect(await cli.lading(`${command} --wait-for-jobs`)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--wait-for-jobs has no effect here') as string,
      })
    }
  })

  it('install --health-timeout limits the wait for a wave, --stabilization asks for health that lasts', async () => {
    const slow = await cli.lading('install shop unready.yaml --create-namespace --wait --health-timeout 300ms')
    expect(slow.code).toBe(7)
    expect(slow.stderr).toContain(`Deployment.apps ${cli.namespace}/web InProgress`)
    const { code, stderr } = await cli.lading('upgrade shop blue.yaml --install --stabilization 50ms')
    expect(code).toBe(0)
    expect(stderr).toContain('has to stay so for 0.05 s')
    expect((await cli.lading('upgrade shop red.yaml --stabilization soon')).code).toBe(2)
  })

  it('install --no-wave-wait does not wait for the wave before', async () => {
    const waiting = unready.replace('{name: web}', wave)
    const { code, stderr } = await cli.lading('install shop - --create-namespace --no-wave-wait', {
      stdin: `${waiting}---\n${config('blue')}`,
    })
    expect(code).toBe(0)
    expect(stderr).not.toContain('InProgress')
  })

  it('standard input is read for one thing only', async () => {
    const { code, stderr } = await cli.lading('install shop - -f -', { stdin: 'a: 1\n' })
    expect([code, stderr]).toEqual([2, expect.stringContaining('standard input can be read once')])
  })

  it('--set-file reads from the folder in which the command runs', async () => {
    cli.write('motd.txt', 'hello')
    expect((await cli.lading('install shop blue.yaml --create-namespace --set-file motd=motd.txt')).code).toBe(0)
    expect(JSON.parse((await cli.lading('get values shop -o json')).stdout)).toEqual({ motd: 'hello' })
    expect((await cli.lading('upgrade shop red.yaml --set-file motd=nowhere.txt')).stderr).toContain('nowhere.txt')
  })

  it('uninstall waits until everything is gone, as --wait says, and does not with --no-wait', async () => {
    const held = config('blue').replace('{name: settings}', '{name: settings, finalizers: [example.com/hold]}')
    await cli.lading('install shop - --create-namespace', { stdin: held })
    expect((await cli.lading('uninstall shop --wait --timeout 300ms')).code).toBe(7)
    expect((await cli.lading('uninstall shop --no-wait')).code).toBe(0)
  })

  it('records are kept in the storage that flags or the environment name', async () => {
    await cli.lading('install shop blue.yaml --create-namespace --storage file --storage-path records')
    expect((await cli.lading('history shop')).code).toBe(8)
    expect(
      (await cli.lading('history shop', { env: { LADING_STORAGE: 'file', LADING_STORAGE_PATH: 'records' } })).code,
    ).toBe(0)
    expect((await cli.lading('install other red.yaml --storage file')).stderr).toContain('needs a path')
  })

  it('records are compressed as flags say, and large ones are kept in the way that is asked for', async () => {
    await cli.lading('install shop blue.yaml --create-namespace --storage configmap --storage-compression none')
    const { stdout } = await cli.lading('get manifest shop --storage configmap')
    expect(stdout).toContain('colour: blue')
    const large = randomBytes(900_000).toString('base64')
    const world = { stdin: `${config(large.slice(0, 600_000))}---\n${other(large.slice(600_000))}` }
    const refused = await cli.lading('upgrade shop - --storage configmap --storage-large fail', world)
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('the strategy for large releases is to fail')
    const kept = await cli.lading('upgrade shop - --storage configmap --storage-large separate-manifests', world)
    expect(kept.code).toBe(0)
    expect((await cli.lading('get manifest shop --storage configmap')).stdout).toContain(large.slice(0, 100))
  })
})

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

function other(colour: string): string {
  return config(colour).replace('settings', 'other')
}

const wave = '{name: web, annotations: {sherpack.io/sync-wave: "-1"}}'

const unready = deployment('lading.dev/simulate: unready')

const endless = `apiVersion: batch/v1
kind: Job
metadata: {name: endless}
spec:
  template:
    metadata: {annotations: {lading.dev/simulate: hang}}
    spec: {restartPolicy: Never, containers: [{name: main, image: registry.example/job}]}
`
