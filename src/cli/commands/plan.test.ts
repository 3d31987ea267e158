import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import { connect, patchObject } from '../../kube/index.ts'
import { type Sandbox, startSandbox } from '../../sandbox/index.ts'
import { type CliResult, type CliWorld, runCli } from '../testdata/run-cli.ts'

describe('plans from the command line', () => {
  let sandbox: Sandbox
  let cwd: string
  let namespace: string
  let counter = 0

  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'lading-cli-'))
    sandbox = await startSandbox({ kubeconfig: join(cwd, 'kubeconfig') })
  })

  afterAll(async () => {
    await sandbox.stop()
    rmSync(cwd, { recursive: true })
  })

  beforeEach(async () => {
    counter += 1
    namespace = `n${counter}`
    write('blue.yaml', content('blue'))
    write('red.yaml', content('red'))
    await lading('install shop blue.yaml --create-namespace')
  })

  it('plan upgrade tells each change, and writes nothing', async () => {
    const { code, stdout } = await lading('plan upgrade shop red.yaml')
    expect(code).toBe(0)
    expect(stdout).toBe(
      [
        `upgrade ${namespace}/shop as revision 2: 1 update, 1 unchanged`,
        `  ~ update ConfigMap ${namespace}/settings`,
        '    ~ .data.colour: "blue" → "red"',
        `  = unchanged Secret ${namespace}/key`,
        '',
      ].join('\n'),
    )
    expect(JSON.parse((await lading('history shop -o json')).stdout)).toHaveLength(1)
  })

  it('a saved plan is applied as it was planned; it holds no Secret and only its owner can read it', async () => {
    await lading('plan upgrade shop red.yaml --out plan.json')
    const file = join(cwd, 'plan.json')
    expect(readFileSync(file, 'utf8')).not.toContain('swordfish')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const applied = await lading('apply plan.json -o json')
    expect(JSON.parse(applied.stdout)).toMatchObject({ outcome: 'deployed', revision: 2, namespace })
  })

  it('what plan -o json or yaml prints is a saved plan too', async () => {
    write('plan.yaml', (await lading('plan upgrade shop red.yaml -o yaml')).stdout)
    expect((await lading('apply plan.yaml')).code).toBe(0)
    const { stdout } = await lading('plan upgrade shop blue.yaml -o json')
    expect((await lading('apply -', { stdin: stdout })).code).toBe(0)
  })

  it('apply refuses a plan whose source renders something else now', async () => {
    await lading('plan upgrade shop red.yaml --out plan.json')
    write('red.yaml', content('pink'))
    const { code, stderr } = await lading('apply plan.json')
    expect(code).toBe(6)
    expect(stderr).toContain('the source renders other objects')
  })

  it('apply refuses a plan that the release has moved on from', async () => {
    await lading('plan upgrade shop red.yaml --out plan.json')
    write('green.yaml', content('green'))
    await lading('upgrade shop green.yaml')
    const { code, stderr } = await lading('apply plan.json')
    expect(code).toBe(6)
    expect(stderr).toContain('made on revision 1, the release is at 2')
  })

  it('apply refuses a plan whose objects somebody changed, and names them', async () => {
    await lading('plan upgrade shop red.yaml --out plan.json')
    await tamper()
    const { code, stderr } = await lading('apply plan.json')
    expect(code).toBe(6)
    expect(stderr).toContain(`ConfigMap ${namespace}/settings changed since it was made`)
  })

  it('apply refuses what is no plan', async () => {
    write('plan.json', '{"format": "lading.dev/plan/v1", "operation": "upgrade"}')
    expect(await lading('apply plan.json')).toMatchObject({ code: 3, stdout: '' })
    expect((await lading('apply nowhere.json')).stderr).toContain('nowhere.json does not exist')
  })

  it('a rollback and an uninstall are planned and applied as well', async () => {
    await lading('upgrade shop red.yaml')
    expect((await lading('plan rollback shop --out plan.json')).stdout).toContain('to what it was at revision 1')
    expect(JSON.parse((await lading('apply plan.json -o json')).stdout)).toMatchObject({ revision: 3 })
    expect((await lading('plan uninstall shop --out plan.json')).stdout).toContain('- delete ConfigMap')
    expect(JSON.parse((await lading('apply plan.json -o json')).stdout)).toMatchObject({ outcome: 'uninstalled' })
    expect((await lading('history shop')).code).toBe(8)
  })

  it('a planned uninstall is refused once the release has moved on', async () => {
    await lading('plan uninstall shop --out plan.json')
    await lading('upgrade shop red.yaml')
    expect(await lading('apply plan.json')).toMatchObject({ code: 6 })
    expect(JSON.parse((await lading('history shop -o json')).stdout)).toHaveLength(2)
  })

  it('diff ends with 2 when an upgrade would change something and with 0 when not', async () => {
    const different = await lading('diff shop red.yaml')
    expect(different.code).toBe(2)
    expect(different.stderr).toBe('')
    expect(different.stdout).toContain('.data.colour: red')
    expect(await lading('diff shop blue.yaml')).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('diff without a source compares revisions', async () => {
    await lading('upgrade shop red.yaml')
    const { code, stdout } = await lading('diff shop --from 1 --to 2 -o json')
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({
      different: true,
      objects: expect.arrayContaining([
        expect.objectContaining({ changes: [{ path: '.data.colour', before: 'blue', after: 'red' }] }),
      ]) as unknown,
    })
    expect((await lading('diff shop --from 2 --to 2')).code).toBe(0)
    expect((await lading('diff shop red.yaml --from 2')).code).toBe(2)
  })

  it('drift ends with 2 when somebody changed an object, and says what', async () => {
    expect(await lading('drift shop')).toEqual({ code: 0, stdout: '', stderr: '' })
    await tamper()
    const { code, stdout } = await lading('drift shop')
    expect(code).toBe(2)
    expect(stdout).toContain('.data.colour: tampered')
  })

  async function tamper(): Promise<void> {
    const ctx = context()
    const cluster = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
    const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace, name: 'settings' }
    await patchObject(cluster, ref, { data: { colour: 'tampered' } }, { type: 'merge', fieldManager: 'somebody' }, ctx)
    await cluster.close()
  }

  function lading(command: string, world: Partial<CliWorld> = {}): Promise<CliResult> {
    return runCli({ cwd, ...world }, ...command.split(' '), '-n', namespace, '--kubeconfig', 'kubeconfig')
  }

  function write(name: string, text: string): void {
    writeFileSync(join(cwd, name), text)
  }
})

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
