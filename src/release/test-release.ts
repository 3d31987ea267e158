import {
  type Context,
  context,
  isLadingError,
  type LadingError,
  type LadingEvent,
  type ObjectRef,
  refOf,
} from '../core/index.ts'
import type { ReleaseEngine } from './deploy.ts'
import type { ReleaseName } from './desired.ts'
import { noSuchRelease, readHistory } from './history.ts'
import { type Hook, hooksOf, parseHook } from './hooks/parse-hook.ts'
import { type HookOptions, runHooks } from './hooks/run-hooks.ts'
import { acquireLock } from './lock.ts'
import type { HookRun, ReleaseRecord } from './record.ts'
import { healedHistory } from './recover.ts'
import type { StoredRecord } from './storage/release-store.ts'

/** How one test of a release ended. */
export interface TestOutcome {
  readonly ref: ObjectRef
  /** `skipped` when an earlier test failed. */
  readonly result: 'passed' | 'failed' | 'skipped'
  readonly run?: HookRun
  readonly message?: string
  /** The end of what it wrote. */
  readonly log?: readonly string[]
}

/** How the tests of a release ended. */
export interface TestReport {
  readonly revision: number
  readonly passed: boolean
  readonly tests: readonly TestOutcome[]
}

/**
 * Runs the `test` hooks of the revision that stands, by weight, under the release's lock, and puts their runs on record. A test that
 * fails ends the run, unless its failure policy is to continue; it is told in the report, not thrown.
 */
export async function* testRelease(
  engine: ReleaseEngine,
  release: ReleaseName,
  options: { readonly timeoutMs?: number },
  ctx: Context,
): AsyncGenerator<LadingEvent, TestReport> {
  const before = await readHistory(engine.store, release, ctx)
  if (before.current === undefined) throw noSuchRelease(release)
  const lock = await acquireLock(engine.cluster, { ...engine.lock, ...release, operation: 'test' }, ctx)
  const locked = context({ ...ctx, signal: lock.signal })
  try {
    const { history } = yield* healedHistory(engine, release, before, locked)
    const { current } = history
    if (current === undefined) throw noSuchRelease(release)
    return yield* testRevision(engine, current, options.timeoutMs ?? 300_000, locked)
  } finally {
    await lock.release()
  }
}

async function* testRevision(
  engine: ReleaseEngine,
  stored: StoredRecord,
  timeoutMs: number,
  ctx: Context,
): AsyncGenerator<LadingEvent, TestReport> {
  const { record } = stored
  const deadline = ctx.clock.now() + timeoutMs
  const hooks = hooksOf(
    record.hooks.flatMap(({ object }) => parseHook(object) ?? []),
    'test',
  )
  if (hooks.length === 0)
    yield { type: 'warning', message: `revision ${record.version} of ${record.name} has no tests` }
  const tests: TestOutcome[] = []
  let stopped = false
  for (const hook of hooks) {
    if (stopped) {
      tests.push({ ref: refOf(hook.object), result: 'skipped', message: 'an earlier test failed' })
      continue
    }
    const outcome = yield* runTest(
      engine,
      hook,
      { release: { name: record.name, namespace: record.namespace }, deadlineMs: deadline },
      ctx,
    )
    tests.push(outcome)
    stopped = outcome.result === 'failed' && hook.failurePolicy.type !== 'continue'
  }
  if (tests.length > 0) await engine.store.update(stored, withRuns(record, hooks, tests), ctx)
  return { revision: record.version, passed: tests.every(({ result }) => result === 'passed'), tests }
}

async function* runTest(
  { cluster }: ReleaseEngine,
  hook: Hook,
  run: Omit<HookOptions, 'phase'>,
  ctx: Context,
): AsyncGenerator<LadingEvent, TestOutcome> {
  const startedAt = timeOf(ctx)
  let ended: { result: 'passed' | 'failed'; message?: string; log?: readonly string[] } = { result: 'failed' }
  try {
    for await (const event of runHooks(cluster, [hook], { ...run, phase: 'test' }, ctx)) {
      if (event.type === 'hook' && (event.status === 'succeeded' || event.status === 'failed')) {
        const { log, message } = event
        const result = event.status === 'succeeded' ? 'passed' : 'failed'
        ended = { result, ...(message === undefined ? {} : { message }), ...(log === undefined ? {} : { log }) }
      }
      yield event
    }
  } catch (error) {
    if (!isLadingError(error, 'hook.failed')) throw error
    ended = { ...ended, result: 'failed', message: causeOf(error) }
  }
  const lastRun: HookRun = {
    phase: ended.result === 'passed' ? 'Succeeded' : 'Failed',
    startedAt,
    completedAt: timeOf(ctx),
  }
  return { ref: refOf(hook.object), run: lastRun, ...ended }
}

function withRuns(record: ReleaseRecord, hooks: readonly Hook[], tests: readonly TestOutcome[]): ReleaseRecord {
  const runs = new Map(hooks.map((hook, at) => [hook.object, tests[at]?.run]))
  return {
    ...record,
    hooks: record.hooks.map((hook) => {
      const lastRun = runs.get(hook.object) ?? hook.lastRun
      return { ...hook, ...(lastRun === undefined ? {} : { lastRun }) }
    }),
  }
}

function causeOf({ cause, message }: LadingError): string {
  return cause instanceof Error ? cause.message : message
}

function timeOf(ctx: Context): string {
  return new Date(ctx.clock.now()).toISOString()
}
