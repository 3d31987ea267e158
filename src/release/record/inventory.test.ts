import { expect, it } from 'vitest'
import { context, type KubeObject, type ManagedFieldsEntry } from '../../core/index.ts'
import { drift } from '../diff/drift.ts'
import { appliedEntry, isAsLeft } from './inventory.ts'
import { config } from '../testdata/release-objects.ts'
import { sandboxReleases } from '../testdata/sandbox-releases.ts'

const ctx = context()
const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'a' }
const managedFields: ManagedFieldsEntry[] = [{ manager: 'lading', operation: 'Apply', time: '2026-01-01T00:00:00Z' }]
const releases = sandboxReleases()

it('an object without a generation is as it was left only at the same resourceVersion, whatever its managedFields say', () => {
  const entry = appliedEntry({ ref, hash: 'x' }, live({ resourceVersion: '1' }))
  expect(isAsLeft(entry, live({ resourceVersion: '1' }).metadata)).toBe(true)
  expect(isAsLeft(entry, live({ resourceVersion: '2' }).metadata)).toBe(false)
})

it('an object with a generation is as it was left although its status moved on', () => {
  const entry = appliedEntry({ ref, hash: 'x' }, live({ resourceVersion: '1', generation: 1 }))
  expect(isAsLeft(entry, live({ resourceVersion: '2', generation: 1 }).metadata)).toBe(true)
  expect(isAsLeft(entry, live({ resourceVersion: '2', generation: 2 }).metadata)).toBe(false)
})

it('drift sees a change under the name of lading itself, with the managedFields that were there', async () => {
  const shop = await releases.make()
  await shop.install([config('a', '1')])
  const { metadata } = (await shop.find('a'))!
  await shop.patch('a', { data: { value: 'changed' } })
  await shop.patch('a', { metadata: { managedFields: metadata.managedFields } })
  const { drifted } = await drift(shop.engine, shop.release, {}, ctx)
  expect(drifted).toBe(true)
  expect((await shop.upgrade([config('a', '1')])).outcome).toBe('deployed')
  expect((await shop.find('a'))?.['data']).toEqual({ value: '1' })
})

function live(metadata: object): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', uid: 'u', managedFields, ...metadata } }
}
