import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type Clock, type ErrorCode, LadingError } from '../../core/index.ts'
import { isEnded, type Job, type JobLogLine, type JobState, type JobStore, type Lease } from '../index.ts'
import { jobStoreContract } from './index.ts'

/** One job in the storage; what its stores share is the map of these. */
interface Kept {
  job: Job
  readonly unique: string | undefined
  readonly lines: JobLogLine[]
}

interface Storage {
  readonly jobs: Map<string, Kept>
  readonly waiting: Set<() => void>
}

// What somebody needs who writes a job store: the types of the door, and the suite.
jobStoreContract({ describe, it, beforeAll, afterAll }, 'a job store of one’s own', async (clock) => {
  const storage: Storage = { jobs: new Map(), waiting: new Set() }
  const another = (): JobStore => openOwnStore(storage, clock)
  return { store: another(), another, close: async () => storage.jobs.clear() }
})

function openOwnStore({ jobs, waiting }: Storage, clock: Clock): JobStore {
  const all = (): Kept[] => [...jobs.values()]
  const listed = (): Job[] => all().map(({ job }) => job)
  const follows = ({ after }: Job): boolean => after === undefined || jobs.get(after)?.job.state === 'finished'
  const write = async <Result>(work: () => Result): Promise<Result> => {
    const result = work()
    for (const wake of waiting) wake()
    return result
  }
  const known = (id: string): Kept => {
    const kept = jobs.get(id)
    if (kept === undefined) throw new LadingError('job.not-found', `there is no job ${id}`, { id })
    return kept
  }
  const held = ({ id, fence }: Lease): Kept => {
    const kept = jobs.get(id)
    if (kept?.job.fence === fence && kept.job.state === 'in-progress') return kept
    throw new LadingError('job.lost', `another runner has taken over job ${id}`, { id, fence })
  }
  const ended = (job: Job, state: JobState, code: ErrorCode): Job => {
    return { ...job, state, error: { code, message: state }, finishedAt: clock.now() }
  }
  // A job stands behind the one that it waits for, so one pass is enough.
  const settle = (): void => {
    for (const kept of all()) {
      const { lost, leaseUntil = 0, state } = kept.job
      if (state === 'in-progress' && leaseUntil <= clock.now()) {
        const freed: Job = { ...released(kept.job), state: 'available', lost: lost + 1 }
        kept.job = lost + 1 < 3 ? freed : ended(freed, 'failed', 'job.lost')
      }
      if (isEnded(kept.job.state) || kept.job.state === 'in-progress') continue
      const before = jobs.get(kept.job.after ?? '')?.job.state
      if (kept.job.cancelRequested) kept.job = ended(kept.job, 'cancelled', 'cancelled')
      else if (before !== undefined && before !== 'finished' && isEnded(before))
        kept.job = ended(kept.job, 'not-attempted', 'job.not-attempted')
      else if (kept.job.dueAt <= clock.now() && follows(kept.job)) kept.job = { ...kept.job, state: 'available' }
    }
  }
  type Able = Pick<Parameters<JobStore['lease']>[0], 'types' | 'clusters'>
  const isAble = ({ type, cluster }: Job, { types, clusters }: Able): boolean =>
    types?.includes(type) !== false && (cluster === undefined || clusters?.includes(cluster) !== false)

  return {
    enqueue: (asked) =>
      write(() => {
        const { unique, notBefore: dueAt = clock.now(), maxRetries = 0, ...rest } = asked
        if (rest.after !== undefined) known(rest.after)
        const isSame = ({ job, unique: key }: Kept): boolean =>
          job.cluster === rest.cluster &&
          (key === unique || (job.group === rest.group && job.operation === rest.operation && !isEnded(job.state)))
        const same = unique === undefined ? undefined : all().find(isSame)
        if (same !== undefined) return same.job
        const fresh = {
          id: randomUUID(),
          state: 'queued',
          attempt: 0,
          lost: 0,
          fence: 0,
          cancelRequested: false,
        } as const
        const kept: Kept = { job: { ...rest, ...fresh, maxRetries, dueAt, createdAt: clock.now() }, unique, lines: [] }
        jobs.set(kept.job.id, kept)
        settle()
        return kept.job
      }),
    get: async (id) => jobs.get(id)?.job,
    list: async ({ group, states, limit = 100 }) =>
      listed()
        .toReversed()
        .filter((job) => (group ?? job.group) === job.group && states?.includes(job.state) !== false)
        .slice(0, limit),
    lease: ({ worker, leaseMs, perGroup, only, ...able }) =>
      write(() => {
        settle()
        const running = (group: string) => listed().filter((job) => job.group === group && job.state === 'in-progress')
        const isFree = (job: Job): boolean => job.state === 'available' && running(job.group).length < perGroup
        const kept = all().find(({ job }) => (only ?? job.id) === job.id && isFree(job) && isAble(job, able))
        if (kept === undefined) return undefined
        const { step: _, ...job } = kept.job
        const { fence, attempt, startedAt = clock.now() } = job
        const leaseUntil = clock.now() + leaseMs
        const begun = { state: 'in-progress', fence: fence + 1, attempt: attempt + 1 } as const
        kept.job = { ...job, ...begun, worker, startedAt, leaseUntil }
        return kept.job
      }),
    leftByLease: async (able) => {
      const left = listed().filter((job) => job.state === 'available' && !isAble(job, able))
      return [...new Map(left.toReversed().map((job) => [`${job.type} ${job.cluster}`, job])).values()]
    },
    heartbeat: (lease, leaseMs) =>
      write(() => {
        const kept = held(lease)
        kept.job = { ...kept.job, leaseUntil: clock.now() + leaseMs }
        return { cancelRequested: kept.job.cancelRequested }
      }),
    setStep: (lease, step) =>
      write(() => {
        const kept = held(lease)
        kept.job = { ...kept.job, step }
      }),
    log: (lease, lines) =>
      write(() => {
        const { job, lines: said } = held(lease)
        for (const line of lines) said.push({ ...line, seq: said.length + 1, attempt: job.attempt })
      }),
    end: (lease, ending) =>
      write(() => {
        const kept = held(lease)
        const job = released(kept.job)
        if (ending.state === 'available') kept.job = { ...job, state: 'available', attempt: job.attempt - 1 }
        else if (ending.state === 'queued') kept.job = { ...job, ...ending }
        // Outputs are those of the job's operation: whoever ends a job has done it.
        else kept.job = { ...job, ...ending, finishedAt: clock.now() } as Job
        settle()
      }),
    cancel: (id) =>
      write(() => {
        const kept = known(id)
        if (!isEnded(kept.job.state)) kept.job = { ...kept.job, cancelRequested: true }
        settle()
        return kept.job
      }),
    logs: async (id, after) => (jobs.get(id)?.lines ?? []).filter(({ seq }) => seq > after),
    prune: (endedBefore) =>
      write(() => {
        const awaited = new Set(listed().flatMap((job) => (isEnded(job.state) ? [] : [job.after])))
        const old = listed().filter(({ id, finishedAt = Infinity }) => finishedAt < endedBefore && !awaited.has(id))
        for (const { id } of old) jobs.delete(id)
        return old.length
      }),
    nextDue: async () => {
      const times = listed().flatMap((job) => {
        if (job.state === 'in-progress') return [job.leaseUntil ?? 0]
        return job.state === 'queued' && follows(job) ? [job.dueAt] : []
      })
      return times.length === 0 ? undefined : Math.min(...times)
    },
    changed: (signal) =>
      new Promise((resolve) => {
        const wake = (): void => {
          waiting.delete(wake)
          resolve()
        }
        if (signal.aborted) return resolve()
        waiting.add(wake)
        signal.addEventListener('abort', wake, { once: true })
      }),
    close: () => {},
  }
}

function released(job: Job): Job {
  const { worker: _, leaseUntil: __, ...rest } = job
  return { ...rest, fence: job.fence + 1 }
}
