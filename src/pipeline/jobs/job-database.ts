import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { LadingError, writeError } from '../../core/index.ts'

const schemaVersion = 3

const schema = `
create table if not exists jobs (
  seq integer primary key autoincrement, id text not null unique, type text not null, operation text not null,
  job_group text not null, state text not null, plan text not null, timeout_ms integer not null, after_id text, cluster text, job_key text,
  attempt integer not null default 0, max_retries integer not null, lost integer not null default 0,
  fence integer not null default 0, worker text, lease_until integer, due_at integer not null, step text,
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
pragma user_version = ${schemaVersion};
`

/** Opens the SQLite file of a job store, made if it is missing; `:memory:` is none. */
export function openDatabase(file: string): DatabaseSync {
  try {
    if (file !== ':memory:') {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      // SQLite itself would let everybody read it, and the manifests of jobs may hold Secrets.
      closeSync(openSync(file, 'a', 0o600))
    }
    const db = new DatabaseSync(file)
    db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 10000;')
    const found = versionOf(db)
    if (found > schemaVersion) {
      db.close()
      throw new LadingError('job.store-failed', `${file} was written by a newer Lading`, { file, version: found })
    }
    if (found < schemaVersion) migrate(db)
    return db
  } catch (error) {
    throw storeError(file, error)
  }
}

/** Brings a file to this version, once: another process may be about to do the same. */
function migrate(db: DatabaseSync): void {
  db.exec('begin immediate')
  const columns = db
    .prepare('pragma table_info(jobs)')
    .all()
    .map(({ name }) => name)
  // Version 1 knew no clusters, version 2 no keys.
  for (const column of ['cluster', 'job_key']) {
    if (columns.length > 0 && !columns.includes(column)) db.exec(`alter table jobs add column ${column} text`)
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
