import { randomUUID } from 'node:crypto'
import type { SQLInputValue } from 'node:sqlite'
import { type Clock, LadingError, monotonicNow, stringifyJson } from '../../core/index.ts'
import { changeSignal } from './change-signal.ts'
import { isEnded, type Job, type JobError, type JobLogLine, type NewJob } from './job.ts'
import type { JobCipher } from './job-cipher.ts'
import { openDatabase, storeError } from './job-database.ts'
import { jobOfRow, logLineOf } from './job-row.ts'
import type { JobEnding, JobQuery, JobStore, Lease, LeaseRequest } from './job-store.ts'
import { afterFinished, maxLeaseMs, type Run, expireJobs } from './expire-jobs.ts'

/**
 * Opens a store in an SQLite file, made if it is missing; `:memory:` keeps it in this process alone. What jobs are given, leave and say is
 * encrypted with the key in `keyFile`, which is made if neither it nor the store exists.
 */
export function openJobStore(file: ':memory:', clock: Clock): JobStore & Disposable
export function openJobStore(file: string, clock: Clock, keyFile: string): JobStore & Disposable
export function openJobStore(file: string, clock: Clock, keyFile?: string): JobStore & Disposable {
  const { db, cipher } = openDatabase(file, keyFile)
  const ask = <Result>(question: () => Result): Result => {
    try {
      return question()
    } catch (error) {
      throw storeError(file, error)
    }
  }
  const change = ask(() => changeSignal(file))
  let dirty = 0
  const run: Run = (sql, ...values) => {
    const changes = Number(db.prepare(sql).run(...values).changes)
    dirty += changes
    return changes
  }
  const one = (sql: string, ...values: SQLInputValue[]) => ask(() => db.prepare(sql).get(...values))
  const all = (sql: string, ...values: SQLInputValue[]) => ask(() => db.prepare(sql).all(...values))
  const toJob = (row: Parameters<typeof jobOfRow>[0]): Job => jobOfRow(row, cipher)
  const expire = (now: number): void => expireJobs(run, clock, now)

  /** One writer at a time, also among processes; a change that fails leaves nothing behind. */
  async function write<Result>(work: () => Result): Promise<Result> {
    dirty = 0
    try {
      db.exec('begin immediate')
      const result = work()
      db.exec('commit')
      // Whoever asks for work in vain must not wake himself by asking.
      if (dirty > 0) change.notify()
      return result
    } catch (error) {
      // A full disk has ended the transaction by itself.
      if (db.isOpen && db.isTransaction) db.exec('rollback')
      throw storeError(file, error)
    }
  }

  function find(id: string): Job | undefined {
    const row = one('select * from jobs where id = ?', id)
    return row === undefined ? undefined : toJob(row)
  }

  /** The job that a unique one would repeat. */
  function findSame({ unique, group, operation, cluster }: NewJob): Job | undefined {
    if (unique === undefined) return undefined
    const row = one(
      `select * from jobs where job_key = ? or (job_group = ? and operation = ? and cluster is ?
       and state in ('queued', 'available', 'in-progress')) order by seq limit 1`,
      keyOf(unique, cluster),
      group,
      operation,
      cluster ?? null,
    )
    return row === undefined ? undefined : toJob(row)
  }

  function held({ id, fence }: Lease, changes: number): void {
    if (changes === 0) {
      throw new LadingError('job.lost', `another runner has taken over job ${id}`, { id, fence })
    }
  }

  const close = (): void => {
    change.close()
    db.close()
  }

  return {
    enqueue: (job) =>
      write(() => {
        const id = randomUUID()
        const now = clock.now()
        if (job.after !== undefined && find(job.after) === undefined) throw noSuchJob(job.after)
        const same = findSame(job)
        if (same !== undefined) return same
        insert(run, cipher, id, job, now)
        expire(now)
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
        all(`select * from jobs ${condition} order by seq desc limit ?`, ...values, limit).map(toJob),
      )
    },
    lease: ({ worker, leaseMs, perGroup, only, ...able }: LeaseRequest) =>
      write(() => {
        const now = clock.now()
        expire(now)
        const { condition, values } = takes(able)
        const row = one(
          `select id from jobs as job where state = 'available' and ${condition}
           and (select count(*) from jobs where job_group = job.job_group and state = 'in-progress') < ?
           and (? is null or id = ?) order by seq limit 1`,
          ...values,
          perGroup,
          only ?? null,
          only ?? null,
        )
        if (row === undefined) return undefined
        const id = String(row['id'])
        run(
          `update jobs set state = 'in-progress', worker = ?, lease_until = ?, lease_ends = ?, fence = fence + 1, attempt = attempt + 1,
           step = null, started_at = coalesce(started_at, ?) where id = ?`,
          worker,
          now + leased(leaseMs),
          monotonicNow(clock) + leased(leaseMs),
          now,
          id,
        )
        return find(id)
      }),
    leftByLease: (able) => {
      const { condition, values } = takes(able)
      const rows = all(
        `select * from jobs where seq in (
           select min(seq) from jobs where state = 'available' and not ${condition} group by type, cluster) order by seq`,
        ...values,
      )
      return Promise.resolve(rows.map(toJob))
    },
    heartbeat: (lease, leaseMs) =>
      write(() => {
        const { id, fence } = lease
        const until = clock.now() + leased(leaseMs)
        const ends = monotonicNow(clock) + leased(leaseMs)
        const sql = `update jobs set lease_until = ?, lease_ends = ? where id = ? and fence = ? and state = 'in-progress'`
        held(lease, run(sql, until, ends, id, fence))
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
            cipher.seal({ id: lease.id, column: 'message' }, message),
          )
        }
      }),
    end: (lease, ending) =>
      write(() => {
        const now = clock.now()
        held(lease, endJob(run, cipher, lease, ending, now))
        expire(now)
      }),
    cancel: (id) =>
      write(() => {
        const job = find(id)
        if (job === undefined) throw noSuchJob(id)
        if (isEnded(job.state)) return job
        run('update jobs set cancel_requested = 1 where id = ?', id)
        expire(clock.now())
        return find(id)!
      }),
    logs: (id, after): Promise<JobLogLine[]> =>
      Promise.resolve(
        all('select * from logs where job_id = ? and seq > ? order by seq', id, after).map((row) =>
          logLineOf(row, cipher),
        ),
      ),
    prune: (endedBefore) =>
      write(() => {
        const awaited = `select after_id from jobs where state in ('queued', 'available') and after_id is not null`
        const old = `finished_at < ? and id not in (${awaited})`
        run(`delete from logs where job_id in (select id from jobs where ${old})`, endedBefore)
        return run(`delete from jobs where ${old}`, endedBefore)
      }),
    nextDue: () => {
      const row = one(
        `select min(time) as time from (
           select due_at as time from jobs where state = 'queued' and (after_id is null or ${afterFinished})
           union all select coalesce(lease_ends + ?, lease_until) from jobs where state = 'in-progress')`,
        // Ends of leases as the time of day that it will be then, by the clock as it is now.
        clock.now() - monotonicNow(clock),
      )
      return Promise.resolve(typeof row?.['time'] === 'number' ? row['time'] : undefined)
    },
    changed: (signal) => change.wait(signal),
    close,
    [Symbol.dispose]: close,
  }
}

function insert(run: Run, cipher: JobCipher, id: string, job: NewJob, now: number): void {
  const { type, operation, group, plan, timeoutMs, maxRetries = 0, notBefore = now, after, cluster, unique } = job
  run(
    `insert into jobs (id, type, operation, job_group, state, plan, timeout_ms, after_id, cluster, job_key, max_retries, due_at, created_at)
     values (?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    type,
    operation,
    group,
    cipher.seal({ id, column: 'plan' }, stringifyJson(plan)),
    timeoutMs,
    after ?? null,
    cluster ?? null,
    unique === undefined ? null : keyOf(unique, cluster),
    maxRetries,
    notBefore,
    now,
  )
}

function leased(leaseMs: number): number {
  return Math.min(leaseMs, maxLeaseMs)
}

/** Two clusters of one store have their own jobs. */
function keyOf(unique: string, cluster = ''): string {
  return `${cluster} ${unique}`
}

/** The jobs that a runner can do, as a condition; only text that JSON can hold goes in. */
function takes({ types, clusters }: Pick<LeaseRequest, 'types' | 'clusters'>) {
  const listed = (list: readonly string[] | undefined): string | null =>
    list === undefined ? null : stringifyJson(list)
  const ofType = `(? is null or type in (select value from json_each(?)))`
  const ofCluster = `(? is null or cluster is null or cluster in (select value from json_each(?)))`
  const [known, here] = [listed(types), listed(clusters)]
  return { condition: `(${ofType} and ${ofCluster})`, values: [known, known, here, here] }
}

function endJob(run: Run, cipher: JobCipher, { id, fence }: Lease, ending: JobEnding, now: number): number {
  const mine = `where id = ? and fence = ? and state = 'in-progress'`
  const released = 'worker = null, lease_until = null, fence = fence + 1'
  const failure = (error: JobError): Uint8Array => cipher.seal({ id, column: 'error' }, stringifyJson(error))
  switch (ending.state) {
    case 'finished': {
      const { outputs: left } = ending
      const outputs = left === undefined ? null : cipher.seal({ id, column: 'outputs' }, stringifyJson(left))
      const set = `state = 'finished', outputs = ?, error = null, finished_at = ?, ${released}`
      return run(`update jobs set ${set} ${mine}`, outputs, now, id, fence)
    }
    case 'available':
      return run(`update jobs set state = 'available', attempt = attempt - 1, ${released} ${mine}`, id, fence)
    case 'queued': {
      const set = `state = 'queued', error = ?, due_at = ?, ${released}`
      return run(`update jobs set ${set} ${mine}`, failure(ending.error), ending.dueAt, id, fence)
    }
    default: {
      const set = `state = ?, error = ?, finished_at = ?, ${released}`
      return run(`update jobs set ${set} ${mine}`, ending.state, failure(ending.error), now, id, fence)
    }
  }
}

function noSuchJob(id: string): LadingError {
  return new LadingError('job.not-found', `there is no job ${id}`, { id })
}
