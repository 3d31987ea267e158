import { describe, expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import { list, matchesName } from './list.ts'
import type { ReleaseRecord, ReleaseState } from './record.ts'
import { createMemoryStore, type MemoryStore } from '../storage/memory-store.ts'

const ctx = context()
const failed: ReleaseState = { status: 'failed', reason: 'x', recoverable: true, failed_at: '' }

describe('a list of releases', () => {
  it('has the latest revision of each, by namespace and name, and reads no payload', async () => {
    const store = await filled()
    const releases = await list(store, {}, ctx)
    expect(releases.map(({ namespace, name, version, status }) => `${namespace}/${name} ${version} ${status}`)).toEqual(
      ['a/shop-api 1 failed', 'b/db 1 deployed', 'b/shop-web 2 deployed'],
    )
    expect(store.counts).toMatchObject({ lists: 1, reads: 0 })
  })

  it('is narrowed by namespace, status and name', async () => {
    const store = await filled()
    const names = async (options: Parameters<typeof list>[1]): Promise<string[]> =>
      (await list(store, options, ctx)).map(({ name, version }) => `${name} ${version}`)
    expect(await names({ namespace: 'b' })).toEqual(['db 1', 'shop-web 2'])
    expect(await names({ statuses: ['failed'] })).toEqual(['shop-api 1'])
    expect(await names({ statuses: ['superseded'] })).toEqual([])
    expect(await names({ filter: 'shop' })).toEqual(['shop-api 1', 'shop-web 2'])
    expect(await names({ filter: '*-web' })).toEqual(['shop-web 2'])
    expect(await names({ allRevisions: true, filter: 'shop-web' })).toEqual(['shop-web 1', 'shop-web 2'])
  })

  it('shows a release that cannot be read', async () => {
    const store = await filled()
    store.damage({ name: 'db', namespace: 'b', version: 1 })
    expect(await list(store, { statuses: ['unknown'] }, ctx)).toEqual([
      { name: 'db', namespace: 'b', version: 1, status: 'unknown' },
    ])
  })
})

describe('the filter of a list', () => {
  it.each([
    ['shop-web', 'op', true],
    ['shop-web', 'shop.*', false],
    ['shop-web', 'shop*', true],
    ['shop-web', '*op*b', true],
    ['shop-web', 'hop*', false],
    ['shop-web', 'shop-???', true],
    ['shop-web', 'shop-??', false],
    ['shop', 'shop**', true],
    ['aab', '*ab', true],
  ])('%s fits %s: %s', (name, filter, fits) => {
    expect(matchesName(name, filter)).toBe(fits)
  })

  it('ends for patterns that were made not to', () => {
    expect(matchesName('a'.repeat(50_000), `${'a*'.repeat(40)}b`)).toBe(false)
  })
})

async function filled(): Promise<MemoryStore> {
  const store = createMemoryStore()
  await store.create(record('b', 'shop-web', 1, { status: 'superseded' }), ctx)
  await store.create(record('b', 'shop-web', 2, { status: 'deployed' }), ctx)
  await store.create(record('a', 'shop-api', 1, failed), ctx)
  await store.create(record('b', 'db', 1, { status: 'deployed' }), ctx)
  return store
}

function record(namespace: string, name: string, version: number, state: ReleaseState): ReleaseRecord {
  return {
    name,
    namespace,
    version,
    state,
    pack: { type: 'manifest', name },
    values: {},
    valuesProvenance: { sources: {} },
    manifest: '',
    hooks: [],
    inventory: [],
    labels: {},
    createdAt: '2025-01-01T00:00:00Z',
    updatedAt: '2025-01-01T00:00:00Z',
  }
}
