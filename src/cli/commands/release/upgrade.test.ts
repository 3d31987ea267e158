import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { context, type KubeObject } from '../../../core/index.ts'
import { applyObject, connect, type Connected, getObject, patchObject } from '../../../kube/index.ts'
import { config } from '../../testdata/manifests.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'

const ctx = context()

describe('upgrades from the command line', () => {
  let cli: CliSandbox
  let cluster: Connected
  let counter = 0

  beforeAll(async () => {
    cli = await openCliSandbox()
    cluster = await connect({ kubeconfig: cli.sandbox.kubeconfig }, ctx)
    for (const colour of ['blue', 'red', 'green']) cli.write(`${colour}.yaml`, config(colour))
  })

  afterAll(async () => {
    await cluster.close()
    await cli.close()
  })

  beforeEach(async () => {
    counter += 1
    cli.namespace = `u${counter}`
    await cli.lading('install shop blue.yaml --create-namespace --description first')
  })

  it('--force-conflicts takes a field that another manager owns; without it the field and its owner are named', async () => {
    await patchObject(
      cluster,
      settings(),
      { data: { colour: 'pink' } },
      { type: 'merge', fieldManager: 'somebody' },
      ctx,
    )
    const refused = await cli.lading('upgrade shop red.yaml')
    expect(refused.code).toBe(6)
    expect(refused.stderr).toContain('.data.colour belongs to somebody: "pink", wanted "red"')
    expect((await cli.lading('upgrade shop red.yaml --force-conflicts')).code).toBe(0)
    expect(await colour()).toBe('red')
  })

  it('--take-ownership takes what belongs to another release', async () => {
    const refused = await cli.lading('install other red.yaml')
    expect(refused).toMatchObject({ code: 6, stderr: expect.stringContaining('allow --take-ownership') as string })
    expect((await cli.lading('install other red.yaml --take-ownership')).code).toBe(0)
    expect(await colour()).toBe('red')
    // The one that lost it does not take it back unasked.
    expect((await cli.lading('upgrade shop green.yaml')).stderr).toContain('does not belong to the release')
    expect((await cli.lading('uninstall shop')).code).toBe(0)
    expect(await colour()).toBe('red')
  })

  it('--wait and --atomic tell of a release that is not healthy although nothing changes, as a saved plan too', async () => {
    cli.write('crash.yaml', crashing)
    expect((await cli.lading('upgrade shop crash.yaml')).code).toBe(0)
    expect((await cli.lading('upgrade shop crash.yaml')).stdout).toContain('unchanged')
    expect((await cli.lading('plan upgrade shop crash.yaml --out plan.json')).code).toBe(0)
    for (const command of ['upgrade shop crash.yaml --wait', 'apply plan.json --wait']) {
      const { code, stderr } = await cli.lading(`${command} --timeout 30s`)
      expect({ code, stderr }).toMatchObject({ code: 7, stderr: expect.stringContaining('but not healthy') as string })
      expect(stderr).toContain('no configuration')
    }
    const atomic = await cli.lading('upgrade shop crash.yaml --atomic --timeout 30s')
    expect(atomic).toMatchObject({ code: 7, stderr: expect.stringContaining('nothing is rolled back') as string })
    expect(JSON.parse((await cli.lading('history shop -o json')).stdout)).toHaveLength(2)
  })

  it('--labels and --description are on record although nothing else changes', async () => {
    expect((await cli.lading('upgrade shop blue.yaml --description checked --labels team=web')).code).toBe(0)
    expect((await cli.lading('history shop')).stdout).toContain('checked')
    expect((await cli.lading('list -l team=web')).stdout).toContain('shop')
    const again = await cli.lading('upgrade shop blue.yaml --description checked --labels team=web')
    expect(again.stdout).toContain('unchanged')
  })

  it('--delete-custom-resources lets a CRD go with what others have of its kind; without it these are named', async () => {
    const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shops.used.example}
spec:
  group: used.example
  scope: Namespaced
  names: {kind: Shop, plural: shops}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`
    expect((await cli.lading('install crds -', { stdin: crd })).code).toBe(0)
    const theirs = { apiVersion: 'used.example/v1', kind: 'Shop', metadata: { name: 'one', namespace: cli.namespace } }
    await applyObject(cluster, theirs, { fieldManager: 'kubectl' }, ctx)
    const named = `Shop.used.example ${cli.namespace}/one`
    for (const command of ['uninstall crds', 'upgrade crds blue.yaml --take-ownership --force-conflicts']) {
      const refused = await cli.lading(command)
      expect(refused).toMatchObject({ code: 6, stderr: expect.stringContaining(named) as string })
      expect(refused.stderr).toContain('--delete-custom-resources')
    }
    const plan = await cli.lading('plan uninstall crds')
    expect(plan.stdout + plan.stderr).toContain(named)
    expect((await cli.lading('plan uninstall crds --delete-custom-resources')).code).toBe(0)
    expect((await cli.lading('uninstall crds --delete-custom-resources')).code).toBe(0)
  })

  it('--adopt takes over what kubectl applied, and what it had set and the source leaves out is gone', async () => {
    const theirs: KubeObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'theirs', namespace: cli.namespace },
      data: { colour: 'red', more: 'x' },
    }
    await applyObject(cluster, theirs, { fieldManager: 'kubectl' }, ctx)
    const stdin = config('red').replace('settings', 'theirs')
    const { code } = await cli.lading('upgrade shop - --take-ownership --adopt kubectl', { stdin })
    expect(code).toBe(0)
    expect((await getObject(cluster, settings('theirs'), ctx))?.['data']).toEqual({ colour: 'red' })
  })

  it('--replace creates again what cannot be changed in place; a plan says so', async () => {
    const job = (image: string): string =>
      `apiVersion: batch/v1\nkind: Job\nmetadata: {name: once}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: x, image: ${image}}]}}}\n`
    expect((await cli.lading('upgrade shop -', { stdin: job('one') })).code).toBe(0)
    const refused = await cli.lading('upgrade shop -', { stdin: job('two') })
    expect(refused).toMatchObject({ code: 6, stderr: expect.stringMatching(/spec.template.*--replace/s) as string })
    const { stdout } = await cli.lading('plan upgrade shop - --replace', { stdin: job('two') })
    expect(stdout).toContain(`± replace Job.batch ${cli.namespace}/once`)
    const done = await cli.lading('upgrade shop - --replace', { stdin: job('two') })
    expect(done.stderr).toContain(`Job.batch ${cli.namespace}/once replaced`)
  })

  it('--labels are kept by later upgrades until they are taken away, shown, and selected by', async () => {
    await cli.lading('upgrade shop red.yaml --labels team=a,tier=web')
    await cli.lading('upgrade shop green.yaml --labels tier=null')
    expect(await json('status shop')).toMatchObject({ labels: { team: 'a' } })
    expect(await json('list --selector team=a,!tier')).toMatchObject([{ name: 'shop', labels: { team: 'a' } }])
    expect(await json('list -l team!=a')).toEqual([])
    expect(await json('list -l team=a,tier!=web')).toMatchObject([{ name: 'shop' }])
    expect((await cli.lading('list -l team>a')).code).toBe(2)
    const kept = await cli.lading('upgrade shop blue.yaml --labels status=mine')
    expect(kept).toMatchObject({ code: 2, stderr: expect.stringContaining('label status=mine') as string })
  })

  it('--history-max keeps so many revisions; descriptions and parts of each can be shown', async () => {
    await cli.lading('upgrade shop red.yaml --description second')
    expect((await cli.lading('get manifest shop --revision 1')).stdout).toContain('colour: blue')
    await cli.lading('upgrade shop green.yaml --description third --history-max 2')
    const history = await json<{ revision: number; description: string }[]>('history shop')
    expect(history.map(({ revision, description }) => `${revision} ${description}`)).toEqual(['2 second', '3 third'])
    expect(await json('history shop --max 1')).toMatchObject([{ revision: 3 }])
    expect(await json('list --all-revisions')).toMatchObject([{ revision: 2 }, { revision: 3 }])
    expect((await cli.lading('rollback shop 1')).code).toBe(8)
  })

  it('--on-error continue applies what can be applied, names the rest and removes nothing', async () => {
    const odd = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: odd}\nnonsense: 1\n'
    const fine = config('red').replace('settings', 'fine')
    const { code, stderr } = await cli.lading('upgrade shop - --on-error continue', { stdin: `${odd}---\n${fine}` })
    expect(code).not.toBe(0)
    expect(stderr).toContain(`ConfigMap ${cli.namespace}/fine created`)
    expect(stderr).toContain('unknown field "nonsense"')
    expect(await colour()).toBe('blue')
  })

  it('--set-json and --set-string give values of their types', async () => {
    await cli.lading('upgrade shop red.yaml --set-json a={"b":[1]} --set-string c=1 --set d=1')
    expect(await json('get values shop')).toEqual({ a: { b: [1] }, c: '1', d: 1 })
  })

  it('dry runs of rollback and uninstall print their plan and change nothing', async () => {
    await cli.lading('upgrade shop red.yaml')
    expect((await cli.lading('rollback shop --dry-run')).stdout).toContain('.data.colour: "red" → "blue"')
    expect((await cli.lading('uninstall shop --dry-run')).stdout).toContain('- delete ConfigMap')
    expect([await colour(), (await json<unknown[]>('history shop')).length]).toEqual(['red', 2])
  })

  it('a plan prints its waves in order, and a cycle is refused with its names', async () => {
    const waved = (name: string, annotation: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, annotations: {${annotation}}}\n`
    const early = waved('early', 'sherpack.io/sync-wave: "-1"')
    const late = waved('late', 'sherpack.io/wait-for: ConfigMap/settings')
    const { stdout } = await cli.lading('plan upgrade shop -', { stdin: [late, config('blue'), early].join('---\n') })
    const name = (object: string): string => `ConfigMap ${cli.namespace}/${object}`
    expect(stdout).toContain(
      `waves:\n  1. wave -1: ${name('early')}\n  2. wave 0: ${name('settings')}\n  3. wave 0: ${name('late')}\n`,
    )
    const cycle = [waved('a', 'sherpack.io/wait-for: ConfigMap/b'), waved('b', 'sherpack.io/wait-for: ConfigMap/a')]
    const { stderr } = await cli.lading('upgrade shop -', { stdin: cycle.join('---\n') })
    expect(stderr).toContain(`these objects wait for each other: ${name('a')} → ${name('b')} → ${name('a')}`)
  })

  it('--storage-namespace keeps the records of all namespaces in one', async () => {
    await cli.lading('install kept red.yaml --take-ownership --force-conflicts --storage-namespace default')
    expect((await cli.lading('history kept')).code).toBe(8)
    expect(await json('history kept --storage-namespace default')).toMatchObject([{ revision: 1 }])
    const env = { LADING_STORAGE_NAMESPACE: 'default' }
    expect((await cli.lading('uninstall kept', { env })).code).toBe(0)
  })

  function settings(name = 'settings'): Parameters<typeof getObject>[1] {
    return { group: '', version: 'v1', kind: 'ConfigMap', namespace: cli.namespace, name }
  }

  async function colour(): Promise<unknown> {
    return ((await getObject(cluster, settings(), ctx))?.['data'] as { colour?: string } | undefined)?.colour
  }

  async function json<T>(command: string): Promise<T> {
    return JSON.parse((await cli.lading(`${command} -o json`)).stdout) as T
  }
})

const crashing = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata:
      labels: {app: web}
      annotations: {lading.dev/simulate: crash-loop, lading.dev/simulate-logs: no configuration}
    spec: {containers: [{name: main, image: registry.example/x:1}]}
`
