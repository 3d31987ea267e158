import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { manualClock } from '../../core/index.ts'
import type { JobStore } from './job-store.ts'
import { openJobStore } from './sqlite-job-store.ts'
import { built, newJob } from '../contract/sample-jobs.ts'

const secret = 'c0rrect-h0rse-battery'
const take = { worker: 'a', leaseMs: 1000, perGroup: 9 }
let folder: string
let stores: JobStore[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lading-sealed-'))
  stores = []
})
afterEach(() => {
  for (const store of stores) store.close()
  rmSync(folder, { recursive: true })
})

test('nothing that a job is given, leaves or says can be read in the files of the store', async () => {
  const store = open()
  const drift = { group: 'drift/a', unique: 'drift/a 10:00' }
  const [one, two, three] = [
    await store.enqueue(newJob({ plan: { inputs: { password: secret } } })),
    await store.enqueue(newJob({ plan: { manifest: `stringData: {a: ${secret}}` } })),
    await store.enqueue(newJob({ plan: { registry_access: { registry_ca: secret } }, ...drift })),
  ]
  expect(holdsSecret()).toEqual([])
  const leases = [await store.lease(take), await store.lease(take), await store.lease(take)].map((job) => job!)
  await store.log(leases[0]!, [{ time: 1, level: 'info', message: `quoted ${secret}` }])
  await store.end(leases[0]!, { state: 'finished', outputs: { ...built, tag: secret } })
  await store.end(leases[1]!, { state: 'failed', error: { code: 'build.failed', message: `wrong: ${secret}` } })
  const again = { code: 'kube.unreachable', message: secret, details: { secret } } as const
  await store.end(leases[2]!, { state: 'queued', error: again, dueAt: 5 })
  expect(holdsSecret()).toEqual([])
  expect(await store.get(one.id)).toMatchObject({
    plan: { inputs: { password: secret } },
    outputs: { tag: secret },
  })
  expect(await store.get(two.id)).toMatchObject({ error: { message: `wrong: ${secret}` } })
  expect(await store.get(three.id)).toMatchObject({ error: again })
  expect(await store.logs(one.id, 0)).toMatchObject([{ message: `quoted ${secret}` }])
  store.close()
  expect(holdsSecret()).toEqual([])
})

test('the key is made on first use, for its owner alone, and leaves no draft', () => {
  open()
  expect(statSync(keyFile()).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'config')).mode & 0o777).toBe(0o700)
  expect(readdirSync(join(folder, 'config'))).toEqual(['jobs.key'])
  expect(Buffer.from(readFileSync(keyFile(), 'utf8'), 'base64')).toHaveLength(32)
})

test('a store that is opened with another key, or without its key, says which key file is wrong and what to do', async () => {
  await open().enqueue(newJob({}))
  writeFileSync(join(folder, 'other.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 })
  for (const [name, problem] of [
    ['other.key', 'is not that of the job store'],
    ['missing.key', 'does not exist'],
  ] as const) {
    const file = join(folder, name)
    expect(() => open(file)).toThrow(
      expect.objectContaining({
        code: 'job.key-invalid',
        message: `the key file ${file} ${problem}, and ${databaseFile()} was encrypted with another key: give its key file (--jobs-key), or another store (--jobs)`,
      }),
    )
  }
  expect(readdirSync(folder)).not.toContain('missing.key')
})

test.each([
  ['a key that others can read', () => chmodSync(keyFile(), 0o640), /can be read or written by others \(mode 640\)/],
  ['a text that is no key', () => writeFileSync(keyFile(), 'hello\n'), /does not hold a key/],
  ['a large file', () => writeFileSync(keyFile(), 'a'.repeat(5000)), /does not hold a key/],
  ['an empty key', () => writeFileSync(keyFile(), ''), /does not hold a key/],
])('%s is refused', (_what, spoil, problem) => {
  open().close()
  spoil()
  expect(() => open()).toThrow(problem)
  expect(() => open()).toThrow(expect.objectContaining({ code: 'job.key-invalid' }))
})

test('a device as key file is refused at once', () => {
  expect(() => open('/dev/zero')).toThrow('the key file /dev/zero is not a file')
})

test('the plan of one job cannot be put in the place of another', async () => {
  const store = open()
  const one = await store.enqueue(newJob({ plan: { target: 'staging' } }))
  const two = await store.enqueue(newJob({ plan: { target: 'production' } }))
  edit(`update jobs set plan = (select plan from jobs where id = '${one.id}') where id = '${two.id}'`)
  expect(await store.get(two.id)).toMatchObject({ state: 'unknown', plan: {} })
  edit(`update jobs set plan = '{"target":"staging"}' where id = '${two.id}'`)
  expect(await store.get(two.id)).toMatchObject({ state: 'unknown', plan: {} })
  expect(await store.get(one.id)).toMatchObject({ plan: { target: 'staging' } })
})

test('a store in plain text of the version before is encrypted when it is opened, freed pages and journal included', async () => {
  const old = plainStore()
  old.exec(`delete from jobs where id = 'gone'`)
  expect(holdsSecret()).not.toEqual([])
  const store = open()
  expect(await store.get('kept')).toMatchObject({
    state: 'failed',
    plan: { password: secret },
    error: { message: secret },
  })
  expect(await store.logs('kept', 0)).toMatchObject([{ message: secret }])
  expect(holdsSecret()).toEqual([])
  old.close()
})

/** A store as version 3 wrote it, with long texts that fill pages of their own. */
function plainStore(): DatabaseSync {
  open().close()
  const db = new DatabaseSync(databaseFile())
  db.exec(`pragma journal_mode = wal; drop table key_check; pragma user_version = 3`)
  const job =
    db.prepare(`insert into jobs (id, type, operation, job_group, state, plan, error, timeout_ms, max_retries, due_at,
    created_at) values (?, 'kubernetes-manifest-build', 'build', 'a', 'failed', ?, ?, 1, 0, 0, 0)`)
  const plan = JSON.stringify({ ...newJob().plan, password: secret, filler: 'x'.repeat(20_000) })
  for (const id of ['kept', 'gone']) job.run(id, plan, JSON.stringify({ code: 'build.failed', message: secret }))
  db.prepare(`insert into logs (job_id, time, attempt, level, message) values ('kept', 1, 1, 'info', ?)`).run(secret)
  return db
}

function edit(sql: string): void {
  const db = new DatabaseSync(databaseFile())
  db.exec(sql)
  db.close()
}

/** The files that hold the secret, plain or as base64. */
function holdsSecret(): string[] {
  const spellings = [secret, Buffer.from(secret).toString('base64').slice(0, -4)]
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => spellings.some((text) => readFileSync(file).includes(text)))
}

function open(key = keyFile()): JobStore {
  const store = openJobStore(databaseFile(), manualClock(1000), key)
  let closed = false
  const once = { ...store, close: () => (closed ? undefined : ((closed = true), store.close())) }
  stores.push(once)
  return once
}

function databaseFile(): string {
  return join(folder, 'jobs.db')
}

function keyFile(): string {
  return join(folder, 'config', 'jobs.key')
}
