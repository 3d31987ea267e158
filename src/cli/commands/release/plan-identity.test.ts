import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { context } from '../../../core/index.ts'
import { connect, listObjects } from '../../../kube/index.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'

const ctx = context()
let cli: CliSandbox
let counter = 0

beforeAll(async () => {
  cli = await openCliSandbox()
})
afterAll(() => cli.close())

beforeEach(() => {
  counter += 1
  cli.namespace = `identity-${counter}`
  cli.write('blue.yaml', content('blue'))
  cli.write('red.yaml', content('red'))
})

const install = () => cli.lading('install shop blue.yaml --create-namespace')
const saved = (): Saved => JSON.parse(readFileSync(join(cli.cwd, 'plan.json'), 'utf8')) as Saved
const applyChanged = (change: (plan: Saved) => object) => {
  cli.write('changed.json', JSON.stringify({ ...saved(), ...change(saved()) }))
  return cli.lading('apply changed.json')
}
const revisions = async (): Promise<number> =>
  (JSON.parse((await cli.lading('history shop -o json')).stdout) as unknown[]).length

describe('a plan is applied once', () => {
  it('and is refused the second time, also after its release was uninstalled', async () => {
    await cli.lading('install other blue.yaml --create-namespace')
    await cli.lading('uninstall other')
    await cli.lading('plan install shop red.yaml --out plan.json')
    expect((await cli.lading('apply plan.json')).code).toBe(0)
    const again = await cli.lading('apply plan.json')
    expect(again).toMatchObject({ code: 6, stderr: expect.stringContaining('was applied before') as unknown })
    await cli.lading('uninstall shop')
    expect(await cli.lading('apply plan.json')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('was applied before') as unknown,
    })
    expect((await cli.lading('history shop')).code).toBe(8)
  })

  it('also if the namespace of the release was deleted with it', async () => {
    const space = `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${cli.namespace}}\n`
    cli.write('whole.yaml', `${space}---\n${content('blue')}`)
    await cli.lading('plan install shop whole.yaml --out plan.json')
    expect((await cli.lading('apply plan.json')).code).toBe(0)
    expect((await cli.lading('uninstall shop')).code).toBe(0)
    expect(await cli.lading('apply plan.json')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('was applied before') as unknown,
    })
  })

  it('an upgrade, a rollback and an uninstall are applied once too', async () => {
    await install()
    for (const planned of ['upgrade shop red.yaml', 'rollback shop 1', 'uninstall shop']) {
      await cli.lading(`plan ${planned} --out plan.json`)
      expect((await cli.lading('apply plan.json')).code).toBe(0)
      if (planned.startsWith('uninstall')) await cli.lading('install shop blue.yaml')
      expect(await cli.lading('apply plan.json')).toMatchObject({
        code: 6,
        stderr: expect.stringContaining('was applied before') as unknown,
      })
    }
  })

  it('and not after its time', async () => {
    await install()
    await cli.lading('plan upgrade shop red.yaml --out plan.json')
    const { createdAt, expiresAt } = saved()
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(86_400_000)
    await cli.lading('plan upgrade shop red.yaml --expires 90m --out plan.json')
    expect(Date.parse(saved().expiresAt) - Date.parse(saved().createdAt)).toBe(5_400_000)
    const late = await applyChanged(() => ({ expiresAt: '2026-01-01T00:00:00.000Z' }))
    expect(late).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('expired at 2026-01-01T00:00:00.000Z') as unknown,
    })
    expect(await revisions()).toBe(1)
  })

  it('a file without a nonce or without an expiry is no plan', async () => {
    await install()
    await cli.lading('plan upgrade shop red.yaml --out plan.json')
    for (const change of [{ nonce: undefined }, { nonce: '../x' }, { expiresAt: undefined }, { expiresAt: 'never' }]) {
      expect(await applyChanged(() => change)).toMatchObject({ code: 3 })
    }
  })
})

describe('a plan is for one cluster', () => {
  let other: CliSandbox
  beforeAll(async () => {
    other = await openCliSandbox()
  })
  afterAll(() => other.close())

  it('and is refused on another one, before anything is written there', async () => {
    await cli.lading('plan install shop blue.yaml --create-namespace --out plan.json')
    other.namespace = cli.namespace
    other.write('blue.yaml', content('blue'))
    other.write('plan.json', readFileSync(join(cli.cwd, 'plan.json'), 'utf8'))
    const before = await state(other)
    expect(await other.lading('apply plan.json -o json')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('plan.wrong-cluster') as unknown,
    })
    expect(await state(other)).toEqual(before)
    // On its own cluster it is as good as before.
    expect((await cli.lading('apply plan.json')).code).toBe(0)
  })

  it('also if a release of the same name is there, in the same state', async () => {
    for (const each of [cli, other]) {
      each.namespace = cli.namespace
      each.write('blue.yaml', content('blue'))
      each.write('red.yaml', content('red'))
      await each.lading('install shop blue.yaml --create-namespace')
    }
    for (const planned of ['upgrade shop red.yaml', 'uninstall shop']) {
      await cli.lading(`plan ${planned} --out plan.json`)
      other.write('plan.json', readFileSync(join(cli.cwd, 'plan.json'), 'utf8'))
      const before = await state(other)
      expect(await other.lading('apply plan.json -o json')).toMatchObject({
        code: 6,
        stderr: expect.stringContaining('plan.wrong-cluster') as unknown,
      })
      expect(await state(other)).toEqual(before)
    }
  })
})

describe('apply works out again what would be done, and refuses a file that says something else', () => {
  beforeEach(async () => {
    await install()
    await cli.lading('plan upgrade shop red.yaml --out plan.json')
  })

  const changes: Readonly<Record<string, [change: (plan: Saved) => object, told: string]>> = {
    'no actions': [() => ({ actions: [] }), 'ConfigMap [^ ]*/settings .* not in the plan'],
    'an action that looks harmless': [
      ({ actions }) => ({ actions: actions.map((each) => ({ ...each, action: 'unchanged' })) }),
      'ConfigMap [^ ]*/settings is "unchanged" in the plan and would be "update"',
    ],
    'a change that looks harmless': [
      ({ actions }) => ({
        actions: actions.map(({ changes, ...each }) => ({
          ...each,
          ...(changes === undefined ? {} : { changes: [{ ...changes[0], after: 'blue-ish' }] }),
        })),
      }),
      'ConfigMap [^ ]*/settings: \\.data\\.colour',
    ],
    'a change left out': [
      ({ actions }) => ({ actions: actions.map(({ changes: _, ...each }) => each) }),
      'ConfigMap [^ ]*/settings: \\.data\\.colour',
    ],
    'an object that is not of the release': [
      ({ actions }) => ({
        actions: [...actions, { ...actions[0], ref: { ...(actions[0]!['ref'] as object), name: 'more' } }],
      }),
      'ConfigMap [^ ]*/more is in the plan',
    ],
    'hooks that do not run': [
      ({ actions }) => ({ hooks: [{ phase: 'pre-upgrade', weight: 0, ref: actions[0]!['ref'] }] }),
      'hooks',
    ],
    'another operation': [() => ({ operation: 'install' }), 'exists already|operation'],
    'another revision': [() => ({ revision: 7 }), 'revision'],
    'another source': [() => ({ source: { type: 'manifest', name: 'nice' } }), 'source'],
    'other waves': [() => ({ waves: [] }), 'waves'],
  }

  it.each(Object.entries(changes))('%s', async (_name, [change, told]) => {
    const { code, stderr } = await applyChanged(change)
    expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringMatching(new RegExp(told)) as unknown })
    expect(await revisions()).toBe(1)
    // The file as it was saved is fine.
    expect((await cli.lading('apply plan.json')).code).toBe(0)
  })

  it('an uninstall that hides what it deletes', async () => {
    await cli.lading('plan uninstall shop --out plan.json')
    expect(await applyChanged(() => ({ actions: [] }))).toMatchObject({ code: 6 })
    expect((await cli.lading('apply plan.json')).code).toBe(0)
  })

  it('a created object that looks harmless, in a namespace that is there and in one that is yet to come', async () => {
    cli.write('more.yaml', content('red').replaceAll(/name: (settings|key)/g, 'name: $1-2'))
    for (const namespace of [cli.namespace, `${cli.namespace}-new`]) {
      cli.namespace = namespace
      await cli.lading('plan install more more.yaml --create-namespace --out plan.json')
      const hidden = await applyChanged(({ actions }) => ({
        actions: actions.map(({ object, ...each }) => ({
          ...each,
          ...(object === undefined ? {} : { object: { ...object, data: { colour: 'blue' } } }),
        })),
      }))
      expect(hidden).toMatchObject({ code: 6, stderr: expect.stringContaining('object differs') as unknown })
      expect((await cli.lading('history more')).code).toBe(8)
      expect((await cli.lading('apply plan.json')).code).toBe(0)
    }
  })
})

describe('a plan with Secrets', () => {
  it('gives nobody who reads what is printed a way to try values of a Secret', async () => {
    await install()
    const secretHash = ({ actions }: Saved) =>
      actions.find(({ ref }) => (ref as { kind: string }).kind === 'Secret')?.['hash']
    const { stdout } = await cli.lading('plan upgrade shop red.yaml -o json')
    const again = await cli.lading('plan upgrade shop red.yaml -o json')
    expect(secretHash(JSON.parse(stdout) as Saved)).toMatch(/^hmac-sha256:/)
    // Nothing that follows from the Secret alone is in it.
    expect(secretHash(JSON.parse(again.stdout) as Saved)).not.toBe(secretHash(JSON.parse(stdout) as Saved))
    expect((JSON.parse(again.stdout) as Saved).objectsHash).not.toBe((JSON.parse(stdout) as Saved).objectsHash)
    const printed = JSON.parse(stdout) as Saved
    expect(printed.key).toBe('***')
    cli.write('plan.json', stdout)
    expect(await cli.lading('apply plan.json')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('lading plan --out FILE') as unknown,
    })
  })

  it('shows the same tokens when it is applied, so that a changed Secret is compared too', async () => {
    await install()
    cli.write('red.yaml', content('red').replace('swordfish', 'marlin'))
    await cli.lading('plan upgrade shop red.yaml --out plan.json')
    expect(JSON.stringify(saved())).not.toMatch(/marlin|swordfish|bWFybGlu/)
    cli.write('red.yaml', content('red').replace('swordfish', 'herring'))
    expect(await cli.lading('apply plan.json')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('the source renders other objects') as unknown,
    })
    cli.write('red.yaml', content('red').replace('swordfish', 'marlin'))
    expect((await cli.lading('apply plan.json')).code).toBe(0)
  })
})

/** Everything on the sandbox that a write could have changed, with its version. */
async function state({ sandbox }: CliSandbox): Promise<string[]> {
  const cluster = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
  try {
    const kinds = ['Namespace', 'ConfigMap', 'Secret']
    const lists = await Promise.all(
      kinds.map((kind) => listObjects(cluster, { gvk: { group: '', version: 'v1', kind } }, ctx)),
    )
    const leases = await listObjects(
      cluster,
      { gvk: { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' } },
      ctx,
    )
    return [...lists, leases].flatMap(({ items }) =>
      items.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name} ${metadata.resourceVersion}`),
    )
  } finally {
    await cluster.close()
  }
}

interface Saved {
  readonly createdAt: string
  readonly expiresAt: string
  readonly key?: string
  readonly objectsHash: string
  readonly actions: readonly (Record<string, unknown> & {
    readonly changes?: readonly object[]
    readonly object?: object
  })[]
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
