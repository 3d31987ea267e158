import { existsSync, lstatSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { context } from '../../../core/index.ts'
import { type Cluster, connect, createObject, deleteObject, getObject, patchObject } from '../../../kube/index.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'

describe('plans from the command line', () => {
  let cli: CliSandbox
  let namespace: string
  let counter = 0

  beforeAll(async () => {
    cli = await openCliSandbox()
  })

  afterAll(() => cli.close())

  beforeEach(async () => {
    counter += 1
    namespace = `n${counter}`
    cli.namespace = namespace
    cli.write('blue.yaml', content('blue'))
    cli.write('red.yaml', content('red'))
    await cli.lading('install shop blue.yaml --create-namespace')
  })

  it('plan upgrade tells each change, and writes nothing', async () => {
    const { code, stdout } = await cli.lading('plan upgrade shop red.yaml')
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
    expect(JSON.parse((await cli.lading('history shop -o json')).stdout)).toHaveLength(1)
  })

  it('a saved plan is applied as it was planned; it holds no Secret and only its owner can read it', async () => {
    await cli.lading('plan upgrade shop red.yaml --out plan.json')
    const file = join(cli.cwd, 'plan.json')
    expect(readFileSync(file, 'utf8')).not.toContain('swordfish')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const applied = await cli.lading('apply plan.json -o json')
    expect(JSON.parse(applied.stdout)).toMatchObject({ outcome: 'deployed', revision: 2, namespace })
  })

  it('a plan is for its owner alone also where everybody could read the file before, and is not written through a link', async () => {
    cli.write('open.json', '{}')
    await cli.lading('plan upgrade shop red.yaml --out open.json --set password=swordfish')
    expect(statSync(join(cli.cwd, 'open.json')).mode & 0o777).toBe(0o600)
    symlinkSync(join(cli.cwd, `elsewhere-${namespace}`), join(cli.cwd, `link-${namespace}.json`))
    await cli.lading(`plan upgrade shop red.yaml --out link-${namespace}.json`)
    expect(lstatSync(join(cli.cwd, `link-${namespace}.json`)).isFile()).toBe(true)
    expect(existsSync(join(cli.cwd, `elsewhere-${namespace}`))).toBe(false)
    expect((await cli.lading('plan upgrade shop red.yaml --out nowhere/plan.json')).stderr).toContain(
      'cannot be written',
    )
  })

  it('prints nothing of what --set gave, saves it for its owner, and refuses to apply what was printed', async () => {
    const flags = '--set password=swordfish --set-string pin=4711'
    const printed = await cli.lading(`plan upgrade shop red.yaml ${flags} --out saved.json -o json`)
    expect(printed.stdout).not.toMatch(/swordfish|4711/)
    expect(readFileSync(join(cli.cwd, 'saved.json'), 'utf8')).toContain('swordfish')
    cli.write('printed.json', printed.stdout)
    const refused = await cli.lading('apply printed.json')
    expect(refused).toMatchObject({ code: 3, stdout: '' })
    expect(refused.stderr).toContain('masked, since it was printed; apply the file that `lading plan --out')
    expect(await cli.lading('apply saved.json')).toMatchObject({ code: 0 })
  })

  it('-o with the name of a file saves the plan there and prints it for a person', async () => {
    const { stdout } = await cli.lading('plan upgrade shop red.yaml -o plan.json')
    expect(stdout).toContain('~ update ConfigMap')
    expect(JSON.parse(readFileSync(join(cli.cwd, 'plan.json'), 'utf8'))).toMatchObject({ format: 'lading.dev/plan/v1' })
    expect((await cli.lading('apply plan.json')).code).toBe(0)
    const twice = await cli.lading('plan rollback shop -o plan.json --out other.json')
    expect(twice).toMatchObject({ code: 2, stdout: '' })
    expect(twice.stderr).toContain('given twice: plan.json and other.json')
    expect((await cli.lading('history shop -o plan.json')).stderr).toContain('Allowed choices are table, json, yaml')
    expect((await cli.lading('plan rollback shop -o plan.txt')).code).toBe(2)
  })

  it('a plan names the hook that the server would refuse, and ends as the operation would', async () => {
    const odd =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: odd, annotations: {helm.sh/hook: pre-upgrade}}\nx: 1\n'
    cli.write('odd.yaml', `${content('red')}---\n${odd}`)
    const { code, stdout, stderr } = await cli.lading('plan upgrade shop odd.yaml')
    expect(code).toBe(4)
    expect(stdout).toMatch(/pre-upgrade ConfigMap n\d+\/odd \(weight 0\)\n {4}! .*unknown field "x"/)
    expect(stderr).toMatch(/^error: ConfigMap n\d+\/odd: [^\n]*unknown field "x"\nnext: /)
  })

  it('what plan -o json or yaml prints is a saved plan too, unless a Secret is in it', async () => {
    const [settings = ''] = content('blue').split('---')
    cli.write('blue.yaml', settings)
    cli.write('red.yaml', settings.replace('blue', 'red'))
    cli.write('plan.yaml', (await cli.lading('plan upgrade shop red.yaml -o yaml')).stdout)
    expect((await cli.lading('apply plan.yaml')).code).toBe(0)
    const { stdout } = await cli.lading('plan upgrade shop blue.yaml -o json')
    expect((await cli.lading('apply -', { stdin: stdout })).code).toBe(0)
  })

  it('apply refuses a plan whose source renders something else now', async () => {
    await cli.lading('plan upgrade shop red.yaml --out plan.json')
    cli.write('red.yaml', content('pink'))
    const { code, stderr } = await cli.lading('apply plan.json')
    expect(code).toBe(6)
    expect(stderr).toContain('the source renders other objects')
  })

  it('apply refuses a plan that the release has moved on from', async () => {
    await cli.lading('plan upgrade shop red.yaml --out plan.json')
    cli.write('green.yaml', content('green'))
    await cli.lading('upgrade shop green.yaml')
    const { code, stderr } = await cli.lading('apply plan.json')
    expect(code).toBe(6)
    expect(stderr).toContain('made on revision 1, the release is at 2')
  })

  it('apply refuses a plan whose objects somebody changed, and names them', async () => {
    await cli.lading('plan upgrade shop red.yaml --out plan.json')
    await tamper()
    const { code, stderr } = await cli.lading('apply plan.json')
    expect(code).toBe(6)
    expect(stderr).toContain(`ConfigMap ${namespace}/settings changed since it was made`)
  })

  it('apply refuses what is no plan', async () => {
    cli.write('plan.json', '{"format": "lading.dev/plan/v1", "operation": "upgrade"}')
    expect(await cli.lading('apply plan.json')).toMatchObject({ code: 3, stdout: '' })
    expect((await cli.lading('apply nowhere.json')).stderr).toContain('nowhere.json does not exist')
    const { stdout } = await cli.lading('plan upgrade shop red.yaml --set a=1 -o json')
    const plan = JSON.parse(stdout) as { inputs: { content: object } }
    for (const odd of [{ set: 5 }, { set: [null] }, { set: [{ flag: 'set' }] }, { files: 'x' }, { source: 5 }]) {
      const inputs = { ...plan.inputs, content: { ...plan.inputs.content, ...odd } }
      cli.write('plan.json', JSON.stringify({ ...plan, inputs }))
      expect(await cli.lading('apply plan.json')).toMatchObject({ code: 3, stdout: '' })
    }
  })

  it('apply refuses a plan that was made for another cluster, before it looks at anything else', async () => {
    const production = await openCliSandbox()
    try {
      production.namespace = namespace
      production.write('blue.yaml', content('blue'))
      await production.lading('install shop blue.yaml --create-namespace')
      for (const planned of ['upgrade shop red.yaml', 'rollback shop 1', 'uninstall shop']) {
        await cli.lading(`plan ${planned} --out plan.json`)
        const plan = readFileSync(join(cli.cwd, 'plan.json'), 'utf8')
        const { code, stderr } = await production.lading('apply -', { stdin: plan })
        expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining('was made for the cluster') })
        expect(stderr).toContain((JSON.parse(plan) as { cluster: string }).cluster)
      }
      expect(JSON.parse((await production.lading('history shop -o json')).stdout)).toHaveLength(1)
    } finally {
      await production.close()
    }
  })

  it('apply refuses a plan that does not name its cluster', async () => {
    const { stdout } = await cli.lading('plan upgrade shop red.yaml -o json')
    cli.write('plan.json', JSON.stringify({ ...(JSON.parse(stdout) as object), cluster: undefined }))
    const { code, stderr } = await cli.lading('apply plan.json')
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('it does not name its cluster') })
  })

  describe('of a release whose namespace is yet to come', () => {
    const fresh = () => `fresh-${namespace}`
    const namespaces = async () => (await cli.lading('list --all-namespaces -o json')).stdout

    it('name the Namespace that --create-namespace makes, and create it when they are applied', async () => {
      cli.namespace = fresh()
      const { stdout } = await cli.lading('plan install shop red.yaml --create-namespace --out plan.json')
      expect(stdout).toContain(
        `install ${fresh()}/shop as revision 1: 1 create, 2 later\n  + create Namespace ${fresh()}\n`,
      )
      expect(await exists(fresh())).toBe(false)
      expect((await cli.lading('apply plan.json')).code).toBe(0)
      expect(await exists(fresh())).toBe(true)
      expect(await namespaces()).toContain(fresh())
      const again = await cli.lading('plan upgrade shop blue.yaml --create-namespace')
      expect(again.stdout).not.toContain('Namespace')
    })

    it('create no Namespace where they are stale', async () => {
      cli.namespace = fresh()
      await cli.lading('plan install shop red.yaml --create-namespace --out plan.json')
      cli.write('red.yaml', content('pink'))
      expect((await cli.lading('apply plan.json')).stderr).toContain('the source renders other objects')
      expect(await exists(fresh())).toBe(false)
    })

    it('are refused where a namespace that was there is gone, and where one that was not there is', async () => {
      cli.namespace = fresh()
      await create(fresh())
      await cli.lading('plan install shop red.yaml --create-namespace --out plan.json')
      await remove(fresh())
      const gone = await cli.lading('apply plan.json')
      expect(gone).toMatchObject({
        code: 6,
        stderr: expect.stringContaining(`the namespace ${fresh()} is gone`) as unknown,
      })
      expect(await exists(fresh())).toBe(false)
      await cli.lading('plan install shop red.yaml --create-namespace --out plan.json')
      await create(fresh())
      const there = await cli.lading('apply plan.json')
      expect(there).toMatchObject({
        code: 6,
        stderr: expect.stringContaining(`the namespace ${fresh()} was created since it was made`) as unknown,
      })
    })
  })

  it('--show-creates prints the fields of what is created, and JSON and YAML always have them, without values of Secrets', async () => {
    const hook =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: before, annotations: {helm.sh/hook: pre-upgrade}}\ndata: {step: one}\n'
    cli.write('more.yaml', `${content('blue').replaceAll(/name: (settings|key)/g, 'name: $1-2')}---\n${hook}`)
    const plain = await cli.lading('plan upgrade shop more.yaml')
    expect(plain.stdout).toContain(`+ create ConfigMap ${namespace}/settings-2\n  + create`)
    for (const command of ['plan upgrade shop more.yaml --show-creates', 'upgrade shop more.yaml --show-creates']) {
      const { stdout, code } = await cli.lading(command)
      expect(code).toBe(0)
      expect(stdout).toMatch(/create ConfigMap n\d+\/settings-2\n {4}\+ apiVersion: v1\n/)
      expect(stdout).toContain('    + data:\n    +   colour: blue\n')
      expect(stdout).toMatch(/ {4}\+ stringData:\n {4}\+ {3}token: "\*\*\*"\n/)
      expect(stdout).toMatch(/pre-upgrade ConfigMap n\d+\/before \(weight 0\)\n {4}\+ apiVersion: v1\n[^]*step: one/)
      expect(stdout).not.toContain('swordfish')
    }
    const { stdout } = await cli.lading('plan upgrade shop more.yaml -o json')
    const { actions, hooks } = JSON.parse(stdout) as Record<'actions' | 'hooks', { action: string; object?: object }[]>
    expect(hooks).toMatchObject([{ object: { metadata: { name: 'before' }, data: { step: 'one' } } }])
    expect(actions.filter(({ action }) => action === 'create').map(({ object }) => object)).toMatchObject([
      { kind: 'ConfigMap', metadata: { name: 'settings-2' }, data: { colour: 'blue' } },
      { kind: 'Secret', metadata: { name: 'key-2' }, stringData: { token: '***' } },
    ])
    expect((await cli.lading('plan upgrade shop more.yaml -o yaml')).stdout).toContain('token: "***"')
    expect(JSON.parse((await cli.lading('history shop -o json')).stdout)).toHaveLength(1)
  })

  it('upgrade --dry-run of an unchanged release prints a plan in which nothing is to do', async () => {
    const { code, stdout } = await cli.lading('upgrade shop blue.yaml --dry-run')
    expect(code).toBe(0)
    expect(stdout).toBe(
      [
        `upgrade ${namespace}/shop, nothing to do: 2 unchanged`,
        `  = unchanged ConfigMap ${namespace}/settings`,
        `  = unchanged Secret ${namespace}/key`,
        '',
      ].join('\n'),
    )
    const { stdout: json } = await cli.lading('upgrade shop blue.yaml --dry-run -o json')
    expect(JSON.parse(json)).toMatchObject({
      format: 'lading.dev/plan/v1',
      operation: 'upgrade',
      revision: 1,
      previous: 1,
    })
    await cli.lading('plan upgrade shop blue.yaml --out plan.json')
    expect(JSON.parse((await cli.lading('apply plan.json -o json')).stdout)).toMatchObject({ outcome: 'unchanged' })
  })

  it('a rollback and an uninstall are planned and applied as well', async () => {
    await cli.lading('upgrade shop red.yaml')
    expect((await cli.lading('plan rollback shop --out plan.json')).stdout).toContain('to what it was at revision 1')
    expect(JSON.parse((await cli.lading('apply plan.json -o json')).stdout)).toMatchObject({ revision: 3 })
    expect((await cli.lading('plan uninstall shop --out plan.json')).stdout).toContain('- delete ConfigMap')
    expect(JSON.parse((await cli.lading('apply plan.json -o json')).stdout)).toMatchObject({ outcome: 'uninstalled' })
    expect((await cli.lading('history shop')).code).toBe(8)
  })

  it('a planned uninstall is refused once the release has moved on', async () => {
    await cli.lading('plan uninstall shop --out plan.json')
    await cli.lading('upgrade shop red.yaml')
    expect(await cli.lading('apply plan.json')).toMatchObject({ code: 6 })
    expect(JSON.parse((await cli.lading('history shop -o json')).stdout)).toHaveLength(2)
  })

  it('diff ends with 2 when an upgrade would change something and with 0 when not', async () => {
    const different = await cli.lading('diff shop red.yaml')
    expect(different.code).toBe(2)
    expect(different.stderr).toBe('')
    expect(different.stdout).toContain('.data.colour: red')
    expect(await cli.lading('diff shop blue.yaml')).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('diff without a source compares revisions', async () => {
    await cli.lading('upgrade shop red.yaml')
    const { code, stdout } = await cli.lading('diff shop --from 1 --to 2 -o json')
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({
      different: true,
      objects: expect.arrayContaining([
        expect.objectContaining({ changes: [{ path: '.data.colour', before: 'blue', after: 'red' }] }),
      ]) as unknown,
    })
    expect((await cli.lading('diff shop --from 2 --to 2')).code).toBe(0)
    expect((await cli.lading('diff shop red.yaml --from 2')).code).toBe(2)
  })

  it('drift ends with 2 when somebody changed an object, and says what', async () => {
    expect(await cli.lading('drift shop')).toEqual({ code: 0, stdout: '', stderr: '' })
    await tamper()
    const { code, stdout } = await cli.lading('drift shop')
    expect(code).toBe(2)
    expect(stdout).toContain('.data.colour: tampered')
  })

  async function onCluster<T>(work: (cluster: Cluster) => Promise<T>): Promise<T> {
    const cluster = await connect({ kubeconfig: cli.sandbox.kubeconfig }, context())
    try {
      return await work(cluster)
    } finally {
      await cluster.close()
    }
  }

  const space = (name: string) => ({ group: '', version: 'v1', kind: 'Namespace', name })
  const exists = (name: string) =>
    onCluster(async (cluster) => (await getObject(cluster, space(name), context())) !== undefined)
  const create = (name: string) =>
    onCluster((cluster) =>
      createObject(cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, {}, context()),
    )
  const remove = (name: string) => onCluster((cluster) => deleteObject(cluster, space(name), {}, context()))

  async function tamper(): Promise<void> {
    const ctx = context()
    const cluster = await connect({ kubeconfig: cli.sandbox.kubeconfig }, ctx)
    const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace, name: 'settings' }
    await patchObject(cluster, ref, { data: { colour: 'tampered' } }, { type: 'merge', fieldManager: 'somebody' }, ctx)
    await cluster.close()
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
