import { expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import { install, upgrade } from '../run/operations.ts'
import { config } from '../testdata/release-objects.ts'
import { sandboxReleases } from '../testdata/sandbox-releases.ts'
import { fromObjects } from './from-objects.ts'

const releases = sandboxReleases()
const ctx = context()

it('objects made in code are installed with their values and notes, and are unchanged the second time', async () => {
  const shop = await releases.make()
  const { engine, release } = shop
  const content = () => ({
    release,
    ...fromObjects([config('a', '1')], { name: 'shop', values: { replicas: 2 }, notes: 'Have fun.' }),
  })
  const { record } = await install(engine, content(), {}, ctx)
  expect(record).toMatchObject({ pack: { name: 'shop' }, values: { replicas: 2 }, notes: 'Have fun.' })
  expect(await shop.find('a')).toMatchObject({ data: { value: '1' } })
  expect((await upgrade(engine, content(), {}, ctx)).outcome).toBe('unchanged')
})
