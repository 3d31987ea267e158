import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { LadingError, writeError } from '../../core/index.ts'
import { type JobCipher, jobCipher } from './job-cipher.ts'
import { createJobKey, keyError, readJobKey } from './job-key.ts'
import { sealRows } from './seal-rows.ts'

const schemaVersion = 4

const schema = `
create table if not exists jobs (
  seq integer primary key autoincrement, id text not null unique, type text not null, operation text not null,
  job_group text not null, state text not null, plan text not null, timeout_ms integer not null, after_id text, cluster text, job_key text,
  attempt integer not null default 0, max_retries integer not null, lost integer not null default 0,
  fence integer not null default 0, worker text, lease_until integer, lease_ends real, due_at integer not null, step text,
  cancel_requested integer not null default 0, outputs text, error text, created_at integer not null,
  started_at integer, finished_at integer
);
create index if not exists jobs_by_state on jobs (state, due_at);
create index if not exists jobs_by_group on jobs (job_group, state);
create unique index if not exists jobs_by_key on jobs (job_key);
create table if not exists logs (
  seq integer primary key autoincrement, job_id text not null, time integer not null, attempt integer not null,
  step text, level text not null, message text not null
);
create index if not exists logs_by_job on logs (job_id, seq);
create table if not exists key_check (id integer primary key check (id = 1), sealed blob not null);
`

/** A job store's file, and what its content is encrypted with. */
export interface JobDatabase {
  readonly db: DatabaseSync
  readonly cipher: JobCipher
}

/** Opens the SQLite file of a job store, made if it is missing, as is its key; `:memory:` is no file and its key is nowhere. */
export function openDatabase(file: string, keyFile: string | undefined): JobDatabase {
  const db = openFile(file)
  try {
    const found = versionOf(db)
    if (found > schemaVersion) {
      throw new LadingError('job.store-failed', `${file} was written by a newer Lading`, { file, version: found })
    }
    if (found < schemaVersion) addMissing(db)
    const cipher = file === ':memory:' ? jobCipher(randomBytes(32)) : cipherOf(db, file, keyFile)
    if (found < schemaVersion) {
      if (found > 0) sealRows(db, cipher)
      db.exec(`pragma user_version = ${schemaVersion}`)
    }
    return { db, cipher }
  } catch (error) {
    db.close()
    throw storeError(file, error)
  }
}

/** The cipher of the one key that a store is encrypted with: the first process that opens it decides. */
function cipherOf(db: DatabaseSync, file: string, keyFile: string | undefined): JobCipher {
  if (keyFile === undefined)
    throw new LadingError('job.key-invalid', `the job store ${file} needs a key file`, { file })
  const place = { id: '', column: 'check' } as const
  const known = readJobKey(keyFile)
  db.exec('begin immediate')
  try {
    const check = db.prepare('select sealed from key_check').get()?.['sealed']
    if (check !== undefined && known === undefined)
      throw keyError(keyFile, `does not exist, ${advice(file)}`, { store: file })
    const cipher = jobCipher(known ?? createJobKey(keyFile))
    if (check === undefined) db.prepare('insert into key_check values (1, ?)').run(cipher.seal(place, 'lading'))
    else if (cipher.open(place, check) === undefined) {
      throw keyError(keyFile, `is not that of the job store, ${advice(file)}`, { store: file })
    }
    db.exec('commit')
    return cipher
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    throw error
  }
}

function advice(file: string): string {
  return `and ${file} was encrypted with another key: give its key file (--jobs-key), or another store (--jobs)`
}

function openFile(file: string): DatabaseSync {
  try {
    if (file !== ':memory:') {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      // SQLite itself would let everybody read it, and the manifests of jobs may hold Secrets.
      closeSync(openSync(file, 'a', 0o600))
    }
    const db = new DatabaseSync(file)
    db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 10000;')
    return db
  } catch (error) {
    throw storeError(file, error)
  }
}

/** Adds tables and columns, once: another process may be about to do the same. */
function addMissing(db: DatabaseSync): void {
  db.exec('begin immediate')
  const columns = db
    .prepare('pragma table_info(jobs)')
    .all()
    .map(({ name }) => name)
  // Version 1 knew no clusters, version 2 no keys, version 3 only the time of day.
  for (const column of ['cluster text', 'job_key text', 'lease_ends real']) {
    const [name] = column.split(' ')
    if (columns.length > 0 && !columns.includes(name)) db.exec(`alter table jobs add column ${column}`)
  }
  db.exec(schema)
  db.exec('commit')
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('pragma user_version').get()?.['user_version'] ?? 0)
}

/** What went wrong with a job store, with the reason that the system or SQLite gives. */
export function storeError(file: string, error: unknown): LadingError {
  if (error instanceof LadingError) return error
  const { code, message, errcode } = error as NodeJS.ErrnoException & { errcode?: number }
  // SQLite's own SQLITE_FULL.
  if (errcode === 13) return writeError(file, Object.assign(new Error(message, { cause: error }), { code: 'ENOSPC' }))
  if (code === 'ENOSPC' || code === 'EDQUOT') return writeError(file, error)
  const reason = code === undefined || code === 'ERR_SQLITE_ERROR' ? message : code
  return new LadingError(
    'job.store-failed',
    `${file} cannot be used as a job store: ${reason}`,
    { file, reason },
    { cause: error },
  )
}
