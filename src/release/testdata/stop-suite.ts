import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import { listObjects } from '../../kube/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import { drift } from '../diff/drift.ts'
import { upgrade } from '../run/operations.ts'
import { createStore } from '../storage/create-store.ts'
import { type CrashContent, crashContent } from './crash-content.ts'
import { type CrashOperation, crashOperations, prepare } from './crash-operation.ts'
import type { CrashTarget } from './crash-suite.ts'
import type { Cut } from './dying-cluster.ts'
import { finish } from './sandbox-releases.ts'
import { startStopProcess, type StopProcess } from './stop-process.ts'
import { namespacesOf, verifyRelease } from './verify-release.ts'

/** How much is tried. */
export interface StopOptions {
  readonly kind: CrashContent
  readonly driver: 'secrets' | 'helm'
  /** Tries every so-many-th write only. */
  readonly step?: number
}

const ctx = context()
/** How long the lock of the process that is stopped holds: short, so that taking over does not take long. */
const durationMs = 1_000
/** Processes side by side: most of the time is waiting for a lock to expire. */
const atOnce = 4

/** Stops a process at every write of every operation, lets another take the release over, and has the first one continue. */
export function stopSuite(name: string, open: () => Promise<CrashTarget>, options: StopOptions): void {
  const { kind, driver, step = 1 } = options
  describe(`a process that is stopped on ${name}, with ${kind} and the store ${driver}`, () => {
    let target: CrashTarget
    let processes: StopProcess[] = []
    const namespaces = namespacesOf(() => target.cluster, `stop-${kind}-${driver}`)
    beforeAll(async () => {
      target = await open()
      processes = Array.from({ length: atOnce }, () => startStopProcess(target.kubeconfig))
    })
    afterAll(async () => {
      await Promise.all(processes.map((each) => each.end()))
      await namespaces.remove()
      await target.close()
    })

    it.each(crashOperations)(
      'at any write of %s and continues after another took over touches nothing of the new revision and leaves nothing',
      async (operation) => {
        const [first] = processes as [StopProcess]
        const { ended, writes } = await stopAt(first, operation, undefined, 'before the write')
        expect(ended).toBe('done')
        expect(writes).toBeGreaterThan(5)
        const points = Array.from({ length: Math.ceil(writes / step) }, (_, at) => 1 + at * step)
        // Before its first write a process has no lock that it could lose.
        const stops = points.flatMap((at): Stop[] => [
          ...(at === 1 ? [] : [{ at, cut: 'before the write' } as const]),
          { at, cut: 'after the write' },
        ])
        const left = stops.values()
        const work = async (process: StopProcess): Promise<void> => {
          for (const { at, cut } of left) {
            const outcome = await stopAt(process, operation, at, cut)
            expect(outcome.taken).toBe(true)
            // Its last three writes make the revision good, supersede the one before and give the lock back: it may have done its work.
            const allowed = at < writes - 2 ? ['release.lock-lost'] : ['release.lock-lost', 'done']
            expect(allowed, `${operation}, ${cut} ${at}`).toContain(outcome.ended)
          }
        }
        // Every process has to be done before the next operation is tried.
        const outcomes = await Promise.allSettled(processes.map(work))
        for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
      },
      600_000,
    )

    async function stopAt(
      process: StopProcess,
      operation: CrashOperation,
      at: number | undefined,
      cut: Cut,
    ): Promise<{ ended: string; writes: number; taken: boolean }> {
      const engine: ReleaseEngine = {
        cluster: target.cluster,
        store: createStore({ driver }, target.cluster),
      }
      const namespace = await namespaces.make()
      await prepare(engine, kind, namespace, operation)
      let before: Record<string, unknown> | undefined
      const takeOver = async (): Promise<void> => {
        await finish(upgrade(engine, crashContent(kind, namespace, 'three'), { install: true }, ctx))
        before = await versions(engine, namespace)
      }
      const order = { driver, kind, namespace, operation, cut, durationMs, ...(at === undefined ? {} : { at }) }
      const outcome = await process.run(order, takeOver)
      if (before !== undefined) await verifyUntouched(engine, kind, namespace, before)
      return { ...outcome, taken: before !== undefined }
    }
  })
}

async function verifyUntouched(
  engine: ReleaseEngine,
  kind: CrashContent,
  namespace: string,
  before: Record<string, unknown>,
): Promise<void> {
  expect(await versions(engine, namespace)).toEqual(before)
  await verifyRelease(engine, kind, namespace, 'three')
  const { orphans } = await drift(engine, { name: 'shop', namespace }, {}, ctx)
  expect(orphans).toEqual([])
}

interface Stop {
  readonly at: number
  readonly cut: Cut
}

const watched = [
  { group: '', version: 'v1', kind: 'ConfigMap' },
  { group: '', version: 'v1', kind: 'Secret' },
  { group: 'apps', version: 'v1', kind: 'Deployment' },
]

/** The very objects that are there, and which state of them; a controller writes to the status of a workload at any time. */
async function versions({ cluster }: ReleaseEngine, namespace: string): Promise<Record<string, unknown>> {
  const lists = await Promise.all(watched.map((gvk) => listObjects(cluster, { gvk, namespace }, ctx)))
  const entries = lists.flatMap(({ items }) =>
    items.map(({ kind, metadata }) => {
      const { uid, generation, resourceVersion } = metadata
      return [`${kind}/${metadata.name}`, { uid, version: generation ?? resourceVersion }] as const
    }),
  )
  return Object.fromEntries(entries)
}
