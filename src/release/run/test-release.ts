import {
  type Context,
  defined,
  endOf,
  followDuring,
  followWithinDeadline,
  type HookEvent,
  isLadingError,
  type LadingEvent,
  objectId,
  type ObjectRef,
  overtime,
  refOf,
  type Operation,
  operation,
  type OperationOptions,
} from '../../core/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import type { ReleaseName } from '../release-name.ts'
import { noSuchRelease, readHistory } from '../record/history.ts'
import { type Hook, hooksOf, parseHook } from '../hooks/parse-hook.ts'
import { type HookOptions, runHooks } from '../hooks/run-hooks.ts'
import { defaultTimeoutMs } from '../deploy-options.ts'
import type { HookRun, ReleaseRecord } from '../record/record.ts'
import { healedHistory } from './recover.ts'
import { recordMask } from '../record/secret-mask.ts'
import type { StoredRecord } from '../storage/release-store.ts'
import { underLock } from '../lock/under-lock.ts'

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
export function testRelease(
  engine: ReleaseEngine,
  release: ReleaseName,
  { timeoutMs = defaultTimeoutMs, onEvent }: { readonly timeoutMs?: number } & OperationOptions,
  ctx: Context,
): Operation<TestReport> {
  const what = `running the tests of release ${release.namespace}/${release.name}`
  const work = () =>
    followWithinDeadline(timeoutMs, ctx, (timed) =>
      followDuring(what, timed, testInTime(engine, release, timeoutMs, timed)),
    )
  return operation('testRelease', work, { onEvent })
}

async function* testInTime(
  engine: ReleaseEngine,
  release: ReleaseName,
  timeoutMs: number,
  ctx: Context,
): AsyncGenerator<LadingEvent, TestReport> {
  const before = await readHistory(engine.store, release, ctx)
  if (before.current === undefined) throw noSuchRelease(release)
  const work = async function* (locked: Context): AsyncGenerator<LadingEvent, TestReport> {
    const { history } = yield* healedHistory(engine, release, before, locked)
    const { current } = history
    if (current === undefined) throw noSuchRelease(release)
    return yield* testRevision(engine, current, timeoutMs, locked)
  }
  return yield* underLock(engine, release, 'test', work, ctx)
}

async function* testRevision(
  engine: ReleaseEngine,
  stored: StoredRecord,
  timeoutMs: number,
  ctx: Context,
): AsyncGenerator<LadingEvent, TestReport> {
  const { record } = stored
  const deadline = endOf(timeoutMs, ctx)
  const limited = overtime(ctx)
  const hooks = hooksOf(
    record.hooks.flatMap(({ object }) => parseHook(object) ?? []),
    'test',
  )
  if (hooks.length === 0)
    yield { type: 'warning', message: `revision ${record.version} of ${record.name} has no tests` }
  const name: ReleaseName = { name: record.name, namespace: record.namespace }
  const runs = new Map<Hook, HookRun>()
  const ended = yield* runTests(
    engine,
    hooks,
    { phase: 'test', release: name, deadlineMs: deadline, runs, mask: recordMask(record) },
    limited,
  )
  const tests = hooks.map((hook) => outcomeOf(hook, runs, ended))
  if (tests.length > 0) await engine.store.update(stored, withRuns(record, hooks, tests), limited)
  return { revision: record.version, passed: tests.every(({ result }) => result === 'passed'), tests }
}

/** Runs the tests, and gives the last that each of them told. */
async function* runTests(
  { cluster }: ReleaseEngine,
  hooks: readonly Hook[],
  options: HookOptions,
  ctx: Context,
): AsyncGenerator<LadingEvent, Map<string, HookEvent>> {
  const ended = new Map<string, HookEvent>()
  try {
    for await (const event of runHooks(cluster, hooks, options, ctx)) {
      if (event.type === 'hook' && (event.status === 'succeeded' || event.status === 'failed')) {
        ended.set(objectId(event.ref), event)
      }
      yield event
    }
  } catch (error) {
    if (!isLadingError(error, 'hook.failed')) throw error
  }
  return ended
}

function outcomeOf(hook: Hook, runs: ReadonlyMap<Hook, HookRun>, ended: ReadonlyMap<string, HookEvent>): TestOutcome {
  const ref = refOf(hook.object)
  const run = runs.get(hook)
  if (run === undefined) return { ref, result: 'skipped', message: 'an earlier test failed' }
  const { message, log } = ended.get(objectId(ref)) ?? {}
  return { ref, run, result: run.phase === 'Succeeded' ? 'passed' : 'failed', ...defined({ message, log }) }
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
