import { expect, it } from 'vitest'
import { context, type KubeObject, stringifyJson } from '../../core/index.ts'
import { generateKeyPair, loadSigningKey } from '../../oci/index.ts'
import { maskPlan } from '../plan/mask-plan.ts'
import { planHash } from '../plan/plan-hash.ts'
import { planInstall, planRollback, planUpgrade } from '../plan/plan-operations.ts'
import { signPlanHash } from '../plan/plan-signature.ts'
import { planUninstall } from '../plan/plan-uninstall.ts'
import { savePlan } from '../plan/save-plan.ts'
import { parsePlan } from '../plan/saved-plan.ts'
import { fromObjects } from '../source/from-objects.ts'
import { config } from '../testdata/release-objects.ts'
import { sandboxReleases } from '../testdata/sandbox-releases.ts'
import { apply } from './apply.ts'

const releases = sandboxReleases()
const ctx = context()
const secret: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'login' },
  stringData: { password: 'hunter2' },
}

it('plans of objects made in code are carried out: install, upgrade, rollback and uninstall', async () => {
  const shop = await releases.make()
  const { engine, release } = shop
  const content = (value: string) => ({ release, ...fromObjects([config('a', value), secret]) })
  const first = await planInstall(engine, content('1'), {}, ctx)
  expect(await shop.find('a')).toBeUndefined()
  expect((await apply(engine, first, { wait: true }, ctx)).outcome).toBe('deployed')
  await apply(engine, await planUpgrade(engine, content('2'), { description: 'Second' }, ctx), {}, ctx)
  expect(await shop.find('a')).toMatchObject({ data: { value: '2' } })
  const { record } = await apply(engine, await planRollback(engine, release, undefined, {}, ctx), {}, ctx)
  expect(record).toMatchObject({ version: 3, description: 'Rollback to 1' })
  expect(await shop.find('a')).toMatchObject({ data: { value: '1' } })
  const last = await planUninstall(engine, release, { keepHistory: true }, ctx)
  expect((await apply(engine, last, {}, ctx)).outcome).toBe('uninstalled')
  expect(await shop.statuses()).toEqual(['superseded', 'superseded', 'uninstalled'])
})

it('an operation tells its events to whoever iterates it, and to onEvent', async () => {
  const shop = await releases.make()
  const { engine, release } = shop
  const told: string[] = []
  const plan = await planInstall(engine, { release, ...fromObjects([config('a', '1')]) }, {}, ctx)
  await apply(engine, plan, { onEvent: ({ type }) => told.push(type) }, ctx)
  // Once each: what is applied is told by the set that applies it.
  expect(told.filter((type) => type === 'object')).toEqual(['object'])
  const events: string[] = []
  for await (const { type } of planUninstall(engine, release, {}, ctx)) events.push(type)
  expect(events.every((type) => type !== 'object')).toBe(true)
})

it('a copy of a plan is neither applied nor saved, since it does not know what it was made from', async () => {
  const shop = await releases.make()
  const { engine, release } = shop
  const plan = { ...(await planInstall(engine, { release, ...fromObjects([config('a', '1')]) }, {}, ctx)) }
  await expect(apply(engine, plan, {}, ctx)).rejects.toMatchObject({
    code: 'plan.invalid',
    message: `the plan for ${release.namespace}/shop cannot be applied: it is a copy, which does not know what it was made from`,
  })
  await expect(savePlan(engine, plan, {}, ctx)).rejects.toMatchObject({ code: 'plan.invalid' })
})

it('a saved plan of objects made in code is read and applied elsewhere, once; as it is shown it cannot be', async () => {
  const shop = await releases.make()
  const { engine, release } = shop
  const content = { release, ...fromObjects([config('a', '1')], { values: { token: 'hunter2' } }) }
  const saved = await savePlan(engine, await planInstall(engine, content, {}, ctx), {}, ctx)
  const shown = stringifyJson(maskPlan(saved))
  expect(shown).not.toContain('hunter2')
  expect(() => parsePlan(shown, 'plan.json')).toThrow('its values are masked')
  const read = parsePlan(stringifyJson(saved), 'plan.json')
  expect(planHash(read)).toBe(planHash(saved))
  const { record } = await apply(engine, read, {}, ctx)
  expect(record?.values).toEqual({ token: 'hunter2' })
  expect(await shop.find('a')).toBeDefined()
  await expect(apply(engine, read, {}, ctx)).rejects.toMatchObject({ code: 'plan.used' })
})

it('a plan of objects with a Secret is not saved', async () => {
  const shop = await releases.make()
  const { engine, release } = shop
  const plan = await planInstall(engine, { release, ...fromObjects([secret]) }, {}, ctx)
  await expect(savePlan(engine, plan, {}, ctx)).rejects.toMatchObject({
    code: 'usage.invalid',
    message: expect.stringContaining('a saved plan holds no Secret') as string,
  })
})

it('an approval must name the plan by its hash, and its signature must be of one of the keys', async () => {
  const shop = await releases.make()
  const { engine, release } = shop
  const plan = await planInstall(engine, { release, ...fromObjects([config('a', '1')]) }, {}, ctx)
  const approval = { plan_hash: planHash(plan), decision: 'approve', by: 'ada', at: '' } as const
  const denied = { code: 'approval.denied' }
  await expect(apply(engine, plan, { approval: { ...approval, decision: 'deny' } }, ctx)).rejects.toMatchObject(denied)
  const other = { ...approval, plan_hash: `sha256:${'0'.repeat(64)}` }
  await expect(apply(engine, plan, { approval: other }, ctx)).rejects.toMatchObject(denied)
  const { privateKey, publicKey } = await generateKeyPair('')
  const verifyKeys = [publicKey]
  await expect(apply(engine, plan, { approval, verifyKeys }, ctx)).rejects.toMatchObject({ code: 'signature.missing' })
  expect(await shop.find('a')).toBeUndefined()
  const signatures = [signPlanHash(planHash(plan), await loadSigningKey(privateKey))]
  expect((await apply(engine, plan, { approval: { ...approval, signatures }, verifyKeys }, ctx)).outcome).toBe(
    'deployed',
  )
})
