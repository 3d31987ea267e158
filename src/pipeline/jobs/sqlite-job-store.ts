import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { type Clock, LadingError } from '../../core/index.ts'
import { changeSignal } from './change-signal.ts'
import { isEnded, type Job, type JobLogLine, type NewJob } from './job.ts'
import { jobOf, logLineOf } from './job-row.ts'
import type { JobEnding, JobQuery, JobStore, Lease, LeaseRequest } from './job-store.ts'

/** How often a job may lose its runner before it is given up. */
const maxLost = 3

const schema = `
create table if not exists jobs (
  seq integer primary key autoincrement, id text not null unique, type text not null, operation text not null,
  job_group text not null, state text not null, plan text not null, timeout_ms integer not null, after_id text,
  attempt integer not null default 0, max_retries integer not null, lost integer not null default 0,
  fence integer not null default 0, worker text, lease_until integer, due_at integer not null, step text,
  cancel_requested integer not null default 0, outputs text, error text, created_at integer not null,
  started_at integer, finished_at integer
);
create index if not exists jobs_by_state on jobs (state, due_at);
create index if not exists jobs_by_group on jobs (job_group, state);
create table if not exists logs (
  seq integer primary key autoincrement, job_id text not null, time integer not null, attempt integer not null,
  step text, level text not null, message text not null
);
create index if not exists logs_by_job on logs (job_id, seq);
pragma user_version = 1;
`

/** Opens a store in an SQLite file, made if it is missing; `:memory:` keeps it in this process alone. */
export function openJobStore(file: string, clock: Clock): JobStore {
  const db = openDatabase(file)
  const change = changeSignal(file)
  let dirty = 0
  const run = (sql: string, ...values: SQLInputValue[]): number => {
    const changes = Number(db.prepare(sql).run(...values).changes)
    dirty += changes
    return changes
  }
  const one = (sql: string, ...values: SQLInputValue[]) => db.prepare(sql).get(...values)
  const all = (sql: string, ...values: SQLInputValue[]) => db.prepare(sql).all(...values)

  /** One writer at a time, also among processes; a change that fails leaves nothing behind. */
  function write<Result>(work: () => Result): Promise<Result> {
    db.exec('begin immediate')
    dirty = 0
    try {
      const result = work()
      db.exec('commit')
      // Whoever asks for work in vain must not wake himself by asking.
      if (dirty > 0) change.notify()
      return Promise.resolve(result)
    } catch (error) {
      db.exec('rollback')
      return Promise.reject(error instanceof Error ? error : new Error('the job store failed', { cause: error }))
    }
  }

  function find(id: string): Job | undefined {
    const row = one('select * from jobs where id = ?', id)
    return row === undefined ? undefined : jobOf(row)
  }

  function held({ id, fence }: Lease, changes: number): void {
    if (changes === 0) {
      throw new LadingError('job.lost', `another runner has taken over job ${id}`, { id, fence })
    }
  }

  /** Moves on what time or another job has decided: leases that ran out, jobs that are due, jobs that wait in vain. */
  function settle(now: number): void {
    const given = JSON.stringify({ code: 'job.lost', message: `${maxLost} runners went away while they ran this job` })
    run(
      `update jobs set state = 'failed', error = ?, finished_at = ?, worker = null, lease_until = null, fence = fence + 1,
       lost = lost + 1 where state = 'in-progress' and lease_until <= ? and lost + 1 >= ?`,
      given,
      now,
      now,
      maxLost,
    )
    run(
      `update jobs set state = 'available', worker = null, lease_until = null, fence = fence + 1, lost = lost + 1
       where state = 'in-progress' and lease_until <= ?`,
      now,
    )
    const vain = `select id from jobs where state in ('failed', 'timed-out', 'not-attempted', 'cancelled')`
    const error = JSON.stringify({ code: 'job.not-attempted', message: 'the job that it waits for did not end well' })
    // One after another may wait for a job that was given up just now.
    while (
      run(
        `update jobs set state = 'not-attempted', error = ?, finished_at = ? where state in ('queued', 'available') and after_id in (${vain})`,
        error,
        now,
      ) > 0
    );
    run(
      `update jobs set state = 'available' where state = 'queued' and due_at <= ?
       and (after_id is null or after_id in (select id from jobs where state = 'finished'))`,
      now,
    )
  }

  return {
    enqueue: (job) =>
      write(() => {
        const id = randomUUID()
        const now = clock.now()
        if (job.after !== undefined && find(job.after) === undefined) throw noSuchJob(job.after)
        insert(run, id, job, now)
        settle(now)
        return find(id)!
      }),
    get: (id) => Promise.resolve(find(id)),
    list: ({ group, states, limit = 100 }: JobQuery) => {
      const where: string[] = []
      const values: SQLInputValue[] = []
      if (group !== undefined) {
        where.push('job_group = ?')
        values.push(group)
      }
      if (states !== undefined) {
        where.push(`state in (${states.map(() => '?').join(', ')})`)
        values.push(...states)
      }
      const condition = where.length === 0 ? '' : `where ${where.join(' and ')}`
      return Promise.resolve(
        all(`select * from jobs ${condition} order by seq desc limit ?`, ...values, limit).map(jobOf),
      )
    },
    lease: ({ worker, leaseMs, perGroup, only }: LeaseRequest) =>
      write(() => {
        const now = clock.now()
        settle(now)
        const row = one(
          `select id from jobs as job where state = 'available' and due_at <= ?
           and (select count(*) from jobs where job_group = job.job_group and state = 'in-progress') < ?
           and (? is null or id = ?) order by seq limit 1`,
          now,
          perGroup,
          only ?? null,
          only ?? null,
        )
        if (row === undefined) return undefined
        const id = String(row['id'])
        run(
          `update jobs set state = 'in-progress', worker = ?, lease_until = ?, fence = fence + 1, attempt = attempt + 1,
           step = null, started_at = coalesce(started_at, ?) where id = ?`,
          worker,
          now + leaseMs,
          now,
          id,
        )
        return find(id)
      }),
    heartbeat: (lease, leaseMs) =>
      write(() => {
        const { id, fence } = lease
        const until = clock.now() + leaseMs
        held(
          lease,
          run(`update jobs set lease_until = ? where id = ? and fence = ? and state = 'in-progress'`, until, id, fence),
        )
        return { cancelRequested: find(id)?.cancelRequested === true }
      }),
    setStep: (lease, step) =>
      write(() => {
        const { id, fence } = lease
        held(
          lease,
          run(`update jobs set step = ? where id = ? and fence = ? and state = 'in-progress'`, step, id, fence),
        )
      }),
    log: (lease, lines) =>
      write(() => {
        const job = find(lease.id)
        held(lease, job?.fence === lease.fence ? 1 : 0)
        for (const { time, step, level, message } of lines) {
          run(
            'insert into logs (job_id, time, attempt, step, level, message) values (?, ?, ?, ?, ?, ?)',
            lease.id,
            time,
            job!.attempt,
            step ?? null,
            level,
            message,
          )
        }
      }),
    end: (lease, ending) => write(() => held(lease, endJob(run, lease, ending, clock.now()))),
    cancel: (id) =>
      write(() => {
        const job = find(id)
        if (job === undefined) throw noSuchJob(id)
        if (isEnded(job.state)) return job
        const now = clock.now()
        const error = JSON.stringify({ code: 'cancelled', message: 'cancelled before it began' })
        run(
          `update jobs set state = 'cancelled', error = ?, finished_at = ?, cancel_requested = 1
           where id = ? and state in ('queued', 'available')`,
          error,
          now,
          id,
        )
        run(`update jobs set cancel_requested = 1 where id = ? and state = 'in-progress'`, id)
        settle(now)
        return find(id)!
      }),
    logs: (id, after): Promise<JobLogLine[]> =>
      Promise.resolve(all('select * from logs where job_id = ? and seq > ? order by seq', id, after).map(logLineOf)),
    nextDue: () => {
      const row = one(
        `select min(time) as time from (select due_at as time from jobs where state = 'queued' and after_id is null
         union all select lease_until from jobs where state = 'in-progress')`,
      )
      return Promise.resolve(typeof row?.['time'] === 'number' ? row['time'] : undefined)
    },
    changed: (signal) => change.wait(signal),
    close: () => {
      change.close()
      db.close()
    },
  }
}

function openDatabase(file: string): DatabaseSync {
  try {
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const db = new DatabaseSync(file)
    db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 10000;')
    db.exec(schema)
    return db
  } catch (error) {
    throw new LadingError('job.store-failed', `${file} cannot be used as a job store`, { file }, { cause: error })
  }
}

type Run = (sql: string, ...values: SQLInputValue[]) => number

function insert(run: Run, id: string, job: NewJob, now: number): void {
  const { type, operation, group, plan, timeoutMs, maxRetries = 0, notBefore = now, after } = job
  run(
    `insert into jobs (id, type, operation, job_group, state, plan, timeout_ms, after_id, max_retries, due_at, created_at)
     values (?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?)`,
    id,
    type,
    operation,
    group,
    JSON.stringify(plan),
    timeoutMs,
    after ?? null,
    maxRetries,
    notBefore,
    now,
  )
}

function endJob(run: Run, { id, fence }: Lease, ending: JobEnding, now: number): number {
  const mine = `where id = ? and fence = ? and state = 'in-progress'`
  const released = 'worker = null, lease_until = null, fence = fence + 1'
  switch (ending.state) {
    case 'finished': {
      const outputs = JSON.stringify(ending.outputs)
      const set = `state = 'finished', outputs = ?, error = null, finished_at = ?, ${released}`
      return run(`update jobs set ${set} ${mine}`, outputs, now, id, fence)
    }
    case 'available':
      return run(`update jobs set state = 'available', attempt = attempt - 1, ${released} ${mine}`, id, fence)
    case 'queued': {
      const set = `state = 'queued', error = ?, due_at = ?, ${released}`
      return run(`update jobs set ${set} ${mine}`, JSON.stringify(ending.error), ending.dueAt, id, fence)
    }
    default: {
      const set = `state = ?, error = ?, finished_at = ?, ${released}`
      return run(`update jobs set ${set} ${mine}`, ending.state, JSON.stringify(ending.error), now, id, fence)
    }
  }
}

function noSuchJob(id: string): LadingError {
  return new LadingError('job.not-found', `there is no job ${id}`, { id })
}
