import type { SQLOutputValue } from 'node:sqlite'
import { defined, isRecord, parseJson } from '../../core/index.ts'
import type { JobCipher } from './job-cipher.ts'
import type { Job, JobError, JobLogLine, JobState, JobStep } from './job.ts'
import { parseJob } from './parse-job.ts'

type Row = Readonly<Record<string, SQLOutputValue>>

/** A row of the table as a job; one that cannot be read says so, and is never hidden. */
export function jobOfRow(row: Row, cipher: JobCipher): Job {
  const id = String(row['id'])
  const sealed = row['outputs']
  const outputs = sealed === null ? undefined : dataOf(cipher.open({ id, column: 'outputs' }, sealed))
  // The store itself writes a few fixed sentences, to many jobs at once.
  const error = dataOf(cipher.open({ id, column: 'error' }, row['error']) ?? row['error'])
  return parseJob({
    id,
    type: String(row['type']),
    operation: String(row['operation']),
    group: String(row['job_group']),
    state: row['state'] as JobState,
    plan: dataOf(cipher.open({ id, column: 'plan' }, row['plan'])),
    timeoutMs: Number(row['timeout_ms']),
    attempt: Number(row['attempt']),
    maxRetries: Number(row['max_retries']),
    lost: Number(row['lost']),
    fence: Number(row['fence']),
    dueAt: Number(row['due_at']),
    cancelRequested: row['cancel_requested'] === 1,
    createdAt: Number(row['created_at']),
    ...defined({
      cluster: textOf(row['cluster']),
      after: textOf(row['after_id']),
      worker: textOf(row['worker']),
      leaseUntil: numberOf(row['lease_until']),
      step: textOf(row['step']) as JobStep | undefined,
      startedAt: numberOf(row['started_at']),
      finishedAt: numberOf(row['finished_at']),
      outputs,
      error: error as JobError | undefined,
    }),
  })
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

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function dataOf(text: unknown): Record<string, unknown> | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const value: unknown = parseJson(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
