import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { context } from '../../../core/index.ts'
import { connect, type Connected, createObject, getObject, patchObject } from '../../../kube/index.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'
import { config } from '../../testdata/manifests.ts'

const ctx = context()

describe('drift from the command line', () => {
  let cli: CliSandbox
  let cluster: Connected
  let counter = 0

  beforeAll(async () => {
    cli = await openCliSandbox()
    cluster = await connect({ kubeconfig: cli.sandbox.kubeconfig }, ctx)
    cli.write('blue.yaml', config('blue'))
    cli.write('red.yaml', config('red'))
  })

  afterAll(async () => {
    await cluster.close()
    await cli.close()
  })

  beforeEach(async () => {
    cli.namespace = `d${++counter}`
    await cli.lading('install shop blue.yaml --create-namespace')
  })

  it('ends with 2 where others added fields, and names them with their manager', async () => {
    await patch({ data: { extra: 'x' } })
    const { code, stdout } = await cli.lading('drift shop')
    expect(code).toBe(2)
    expect(stdout).toMatch(/! added by somebody at \S+\n {4}\+ \.data\.extra: x/)
    expect((await cli.lading('drift shop --ignore-manager some*')).code).toBe(0)
    expect((await cli.lading('diff shop blue.yaml')).code).toBe(2)
    expect((await cli.lading('diff shop blue.yaml --ignore-manager somebody')).code).toBe(0)
  })

  it('--no-default-ignores shows what the usual controllers added too', async () => {
    await patch({ data: { seen: '1' } }, 'kube-controller-manager')
    expect((await cli.lading('drift shop')).code).toBe(0)
    const { code, stdout } = await cli.lading('drift shop --no-default-ignores')
    expect(code).toBe(2)
    expect(stdout).toContain('added by kube-controller-manager')
  })

  it('--correct shows what differs, corrects it, says what, and ends with 0; a second run finds nothing', async () => {
    await patch({ data: { colour: 'pink' } })
    const { code, stdout } = await cli.lading('drift shop --correct')
    expect(code).toBe(0)
    expect(stdout.indexOf('.data.colour: pink')).toBeGreaterThan(-1)
    expect(stdout.indexOf('corrected ConfigMap')).toBeGreaterThan(stdout.indexOf('.data.colour: pink'))
    expect(stdout).toContain('drift corrected by revision 2')
    expect(await data()).toEqual({ colour: 'blue' })
    expect(await cli.lading('drift shop --correct')).toEqual({ code: 0, stdout: 'nothing drifted\n', stderr: '' })
  })

  it('--correct keeps what others added, says so and ends with 2, unless it is to be removed', async () => {
    await patch({ data: { colour: 'pink', extra: 'x' } })
    const kept = await cli.lading('drift shop --correct')
    expect(kept.code).toBe(2)
    expect(kept.stdout).toContain('--remove-foreign-fields removes them')
    expect(await data()).toEqual({ colour: 'blue', extra: 'x' })
    expect((await cli.lading('drift shop --correct --remove-foreign-fields')).code).toBe(0)
    expect(await data()).toEqual({ colour: 'blue' })
  })

  it('--correct gives one document with what was found and what was corrected', async () => {
    await patch({ data: { colour: 'pink' } })
    const { stdout } = await cli.lading('drift shop --correct -o json')
    expect(JSON.parse(stdout)).toMatchObject({
      drifted: true,
      objects: [{ drift: { changes: [{ path: '.data.colour', after: 'pink', manager: 'somebody' }] } }],
      correction: { corrected: [{ action: 'update' }], revision: 2, remaining: { drifted: false } },
    })
  })

  it('--remove-foreign-fields without --correct is refused', async () => {
    const { stderr } = await cli.lading('drift shop --remove-foreign-fields')
    expect(stderr).toContain('only together with --correct')
  })

  it('names orphans, with Helm’s store as well', async () => {
    cli.namespace = `${cli.namespace}-helm`
    await cli.lading('install chart red.yaml --storage helm --create-namespace')
    const annotations = { 'meta.helm.sh/release-name': 'chart', 'meta.helm.sh/release-namespace': cli.namespace }
    const metadata = {
      name: 'left',
      namespace: cli.namespace,
      annotations,
      labels: { 'app.kubernetes.io/managed-by': 'Helm' },
    }
    await createObject(cluster, { apiVersion: 'v1', kind: 'Secret', metadata }, {}, ctx)
    const { code, stdout } = await cli.lading('drift chart --storage helm')
    expect(code).toBe(2)
    expect(stdout).toContain(`? Secret ${cli.namespace}/left\n    (orphan: no revision has it)`)
    const name = `Secret ${cli.namespace}/left`
    expect((await cli.lading('status chart --storage helm')).stdout).toContain(`orphan: ${name} carries the marks`)
    const recovered = await cli.lading('recover chart --storage helm')
    expect(recovered.stderr).toContain(
      `warning: ${name}: orphan: it carries the marks of the release and stands in no revision`,
    )
    expect(recovered.stdout).toMatch(/REMOVED +ORPHANS\nchart .* false +0 +1\n/)
    expect((await cli.lading('uninstall chart --storage helm --dry-run')).stdout).toMatch(/delete.*left|- .*left/)
    await cli.lading('uninstall chart --storage helm')
    const ref = { group: '', version: 'v1', kind: 'Secret', namespace: cli.namespace, name: 'left' }
    expect(await getObject(cluster, ref, ctx)).toBeUndefined()
  })

  it('upgrade and rollback keep what others added, and remove it with --remove-foreign-fields, as their plans show', async () => {
    await patch({ data: { extra: 'x' } })
    await cli.lading('upgrade shop red.yaml --force-conflicts')
    expect(await data()).toEqual({ colour: 'red', extra: 'x' })
    await cli.lading('rollback shop 1 --force-conflicts')
    expect(await data()).toEqual({ colour: 'blue', extra: 'x' })
    const plan = await cli.lading('rollback shop 1 --remove-foreign-fields --dry-run')
    expect(plan.stdout).toContain('- .data.extra: "x"')
    await cli.lading('rollback shop 1 --remove-foreign-fields')
    expect(await data()).toEqual({ colour: 'blue' })
    await patch({ data: { extra: 'x' } })
    await cli.lading('plan upgrade shop blue.yaml --remove-foreign-fields --out plan.json')
    expect((await cli.lading('apply plan.json')).code).toBe(0)
    expect(await data()).toEqual({ colour: 'blue' })
  })

  async function patch(change: object, fieldManager = 'somebody'): Promise<void> {
    await patchObject(cluster, settings(), change, { type: 'merge', fieldManager }, ctx)
  }

  async function data(): Promise<unknown> {
    return (await getObject(cluster, settings(), ctx))?.['data']
  }

  function settings(): Parameters<typeof getObject>[1] {
    return { group: '', version: 'v1', kind: 'ConfigMap', namespace: cli.namespace, name: 'settings' }
  }
})
