import type { SQLOutputValue } from 'node:sqlite'
import { isRecord, parseJson } from '../../core/index.ts'
import type { JobCipher } from './job-cipher.ts'
import type { Job, JobData, JobError, JobLogLine, JobOperation, JobState, JobStep, JobType } from './job.ts'

type Row = Readonly<Record<string, SQLOutputValue>>

/** A row of the table as a job; one whose plan cannot be read is told apart, never hidden. */
export function jobOf(row: Row, cipher: JobCipher): Job {
  const id = String(row['id'])
  const plan = dataOf(cipher.open({ id, column: 'plan' }, row['plan']))
  const job: Job = {
    id,
    type: row['type'] as JobType,
    operation: row['operation'] as JobOperation,
    group: String(row['job_group']),
    state: plan === undefined ? 'unknown' : (row['state'] as JobState),
    plan: plan ?? {},
    timeoutMs: Number(row['timeout_ms']),
    attempt: Number(row['attempt']),
    maxRetries: Number(row['max_retries']),
    lost: Number(row['lost']),
    fence: Number(row['fence']),
    dueAt: Number(row['due_at']),
    cancelRequested: row['cancel_requested'] === 1,
    createdAt: Number(row['created_at']),
  }
  return { ...job, ...rest(row, id, cipher) }
}

/** A row of the log. */
export function logLineOf(row: Row, cipher: JobCipher): JobLogLine {
  const message = cipher.open({ id: String(row['job_id']), column: 'message' }, row['message'])
  return {
    seq: Number(row['seq']),
    time: Number(row['time']),
    attempt: Number(row['attempt']),
    ...(row['step'] === null ? {} : { step: row['step'] as JobStep }),
    level: row['level'] as JobLogLine['level'],
    message: message ?? '(this line cannot be decrypted)',
  }
}

function rest(row: Row, id: string, cipher: JobCipher): Partial<Job> {
  const outputs = dataOf(cipher.open({ id, column: 'outputs' }, row['outputs']))
  // The store itself writes a few fixed sentences, to many jobs at once.
  const error = dataOf(cipher.open({ id, column: 'error' }, row['error']) ?? row['error'])
  return {
    ...(typeof row['cluster'] === 'string' ? { cluster: row['cluster'] } : {}),
    ...(typeof row['after_id'] === 'string' ? { after: row['after_id'] } : {}),
    ...(typeof row['worker'] === 'string' ? { worker: row['worker'] } : {}),
    ...(row['lease_until'] === null ? {} : { leaseUntil: Number(row['lease_until']) }),
    ...(row['step'] === null ? {} : { step: row['step'] as JobStep }),
    ...(row['started_at'] === null ? {} : { startedAt: Number(row['started_at']) }),
    ...(row['finished_at'] === null ? {} : { finishedAt: Number(row['finished_at']) }),
    ...(outputs === undefined ? {} : { outputs }),
    ...(error === undefined ? {} : { error: error as unknown as JobError }),
  }
}

function dataOf(text: unknown): JobData | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const value: unknown = parseJson(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
