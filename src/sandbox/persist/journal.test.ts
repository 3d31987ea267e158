import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { KubeObject } from '../../core/index.ts'
import { Store } from '../store.ts'
import { Journal } from './journal.ts'
import { lockFolder } from './lock-folder.ts'

const collection = '/configmaps'
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lading-journal-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

describe('what a store kept is there after a restart', () => {
  test('objects as they were last, with versions that go on', async () => {
    const store = new Store()
    const journal = await Journal.open(folder, store)
    store.put(collection, configMap('a', '1'))
    const changed = store.put(collection, configMap('a', '2'))
    store.put(collection, configMap('b', '1'))
    store.remove(collection, 'shop', 'b')
    await journal.close()

    const again = new Store()
    const reopened = await Journal.open(folder, again)
    expect(again.list(collection)).toEqual([changed])
    expect(again.version).toBeGreaterThan(store.version)
    await reopened.close()
  })

  test('watches from before it are told to list again', async () => {
    const store = new Store()
    const journal = await Journal.open(folder, store)
    const { metadata } = store.put(collection, configMap('a', '1'))
    await journal.close()
    const again = new Store()
    const reopened = await Journal.open(folder, again)
    expect(again.since(collection, Number(metadata.resourceVersion))).toBeUndefined()
    expect(again.since(collection, again.version)).toEqual([])
    await reopened.close()
  })

  test('numbers that are too large for a double and text of any script', async () => {
    const store = new Store()
    const journal = await Journal.open(folder, store)
    const object = { ...configMap('a', 'ψ\n "q" 🚢'), big: 9_007_199_254_740_993n } as unknown as KubeObject
    const stored = store.put(collection, object)
    await journal.close()
    const again = new Store()
    const reopened = await Journal.open(folder, again)
    expect(again.get(collection, 'shop', 'a')).toEqual(stored)
    await reopened.close()
  })

  test('a line that was cut off is left out, and the journal goes on after the last good one', async () => {
    const store = new Store()
    const journal = await Journal.open(folder, store)
    store.put(collection, configMap('a', '1'))
    await journal.close()
    const file = newestJournal()
    const whole = statSync(file).size
    appendFileSync(file, '0badcafe {"version":99,"collection":"/configmaps","obj')

    const again = new Store()
    const reopened = await Journal.open(folder, again)
    expect(again.list(collection).map(({ metadata }) => metadata.name)).toEqual(['a'])
    expect(statSync(file).size).toBe(whole)
    again.put(collection, configMap('b', '1'))
    await reopened.close()
    const third = new Store()
    const last = await Journal.open(folder, third)
    expect(third.list(collection).map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
    await last.close()
  })

  test('damage before good lines is refused, as something acknowledged would be lost', async () => {
    const store = new Store()
    const journal = await Journal.open(folder, store)
    store.put(collection, configMap('a', '1'))
    store.put(collection, configMap('b', '1'))
    await journal.close()
    const file = newestJournal()
    writeFileSync(file, readFileSync(file, 'utf8').replace('"name":"a"', '"name":"x"'))
    await expect(Journal.open(folder, new Store())).rejects.toMatchObject({ code: 'sandbox.data-damaged' })
  })
})

describe('acknowledging', () => {
  test('a change is on disk when kept() resolves', async () => {
    const store = new Store()
    const journal = await Journal.open(folder, store)
    store.put(collection, configMap('a', '1'))
    const first = journal.kept()
    store.put(collection, configMap('b', '1'))
    await Promise.all([first, journal.kept()])
    const text = readFileSync(newestJournal(), 'utf8')
    expect(text).toContain('"name":"a"')
    expect(text).toContain('"name":"b"')
    await journal.close()
  })

  test('changes of one turn go out in one batch', async () => {
    const store = new Store()
    const journal = await Journal.open(folder, store)
    const kept = Array.from({ length: 50 }, (_, at) => {
      store.put(collection, configMap(`a-${at}`, '1'))
      return journal.kept()
    })
    expect(new Set(kept).size).toBe(1)
    await Promise.all(kept)
    await journal.close()
  })
})

test('a journal that has grown becomes a snapshot, and nothing is lost on the way', async () => {
  const store = new Store()
  const journal = await Journal.open(folder, store, { snapshotAfterBytes: 4000 })
  for (let round = 0; round < 30; round++) {
    for (let at = 0; at < 10; at++) store.put(collection, configMap(`a-${at}`, String(round)))
    store.remove(collection, 'shop', `a-${round % 10}`)
    await journal.kept()
  }
  await journal.close()
  expect(readdirSync(folder)).toContain('snapshot.jsonl')
  const kept = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  expect(kept).toBeLessThan(30 * 10 * 100)

  const again = new Store()
  const reopened = await Journal.open(folder, again)
  expect(again.list(collection)).toEqual(store.list(collection))
  await reopened.close()
})

describe('a folder', () => {
  test('is kept by one sandbox at a time', () => {
    const unlock = lockFolder(folder)
    expect(() => lockFolder(folder)).toThrow(expect.objectContaining({ code: 'sandbox.in-use' }) as Error)
    unlock()
    lockFolder(folder)()
    expect(readdirSync(folder)).toEqual([])
  })

  test('whose sandbox crashed is taken over', () => {
    // The highest process number of Linux is far below.
    writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: 2 ** 30, started: '1' }))
    lockFolder(folder)()
  })

  test(
    'whose lock names a later process of the same number is taken over',
    { skip: process.platform !== 'linux' },
    () => {
      writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: process.pid, started: '1' }))
      lockFolder(folder)()
    },
  )
})

function configMap(name: string, value: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' }, data: { value } }
}

function newestJournal(): string {
  const name = readdirSync(folder)
    .filter((file) => file.startsWith('journal-'))
    .sort()
    .at(-1)
  return join(folder, name ?? '')
}
