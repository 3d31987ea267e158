import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLadingError } from '../../core/index.ts'
import type { Connected } from '../../kube/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import { holderOf } from '../lock/lock-holder.ts'
import { createStore } from '../storage/create-store.ts'
import type { CrashContent, Version } from './crash-content.ts'
import { type CrashOperation, crashOperations, operate, prepare } from './crash-operation.ts'
import { type Cut, dyingCluster } from './dying-cluster.ts'
import { killAfterWrites } from './kill-process.ts'
import { namespacesOf, verifyRelease } from './verify-release.ts'

/** A cluster on which releases are cut short. */
export interface CrashTarget {
  readonly cluster: Connected
  readonly kubeconfig: string
  close(): Promise<void>
}

/** How much is tried. */
export interface CrashOptions {
  readonly kind: CrashContent
  readonly driver: 'secrets' | 'helm'
  /** Tries every so-many-th write and the last one only, where a cluster is slow. */
  readonly step?: number
  /** After how many writes real processes are killed (default: none); each takes the start of a process. */
  readonly kills?: readonly number[]
}

/** Crashes that are tried side by side, each in a namespace of its own: most of an operation is waiting. */
const atOnce = 4

/** Cuts every operation short at every write, and shows that the next command heals it. */
export function crashSuite(name: string, open: () => Promise<CrashTarget>, options: CrashOptions): void {
  const { kind, driver, step = 1, kills = [] } = options
  const cases = crashOperations.flatMap((operation): [CrashOperation, Cut][] => [
    [operation, 'after the write'],
    [operation, 'before the write'],
  ])
  describe(`a crash on ${name}, with ${kind} and the store ${driver}`, () => {
    let target: CrashTarget
    const namespaces = namespacesOf(() => target.cluster, `crash-${kind}-${driver}`)
    beforeAll(async () => {
      target = await open()
    })
    afterAll(async () => {
      await namespaces.remove()
      await target.close()
    })

    it.each(cases)(
      'at any write of %s, %s, is healed by the next command: nothing lost, nothing left over, history intact',
      async (operation, cut) => {
        const sound = engineOf(target.cluster, driver)
        const crashAt = async (n: number): Promise<{ died: boolean; writes: number }> => {
          const namespace = await namespaces.make()
          await prepare(sound, kind, namespace, operation)
          const dying = dyingCluster(target.cluster, n, cut)
          // The lock of a process of this machine that does not exist any more, as after a real crash.
          const lock = { holder: holderOf(999_999_999) }
          const crashed = { ...engineOf({ ...target.cluster, ...dying.cluster }, driver), lock }
          await tolerate(operate(crashed, kind, namespace, operation))
          if (dying.died()) await heal(sound, kind, namespace, operation)
          await verifyRelease(sound, kind, namespace, outcomes[operation])
          return { died: dying.died(), writes: dying.writes() }
        }
        const { writes } = await crashAt(Infinity)
        // Lock, record, objects, record, lock: an operation that makes fewer writes is not the one meant here.
        expect(writes).toBeGreaterThan(5)
        const steps = Array.from({ length: Math.ceil(writes / step) }, (_, at) => 1 + at * step)
        const points = [...new Set([...steps, writes])]
        for (let start = 0; start < points.length; start += atOnce) {
          const crashes = await Promise.all(points.slice(start, start + atOnce).map(crashAt))
          expect(crashes.map(({ died }) => died)).toEqual(crashes.map(() => true))
        }
      },
      600_000,
    )

    it.each(kills.length === 0 ? [] : crashOperations)(
      'of a process that is killed during %s is healed by the next command',
      async (operation) => {
        let killed = 0
        for (const n of kills) {
          const namespace = await namespaces.make()
          const sound = engineOf(target.cluster, driver)
          await prepare(sound, kind, namespace, operation)
          const { cluster, kubeconfig } = target
          const what = { kubeconfig, driver, kind, namespace, operation }
          if (await killAfterWrites(cluster, what, n)) killed += 1
          await heal(sound, kind, namespace, operation)
          await verifyRelease(sound, kind, namespace, outcomes[operation])
        }
        expect(killed).toBeGreaterThan(0)
      },
      300_000,
    )
  })
}

function engineOf(cluster: Connected, driver: CrashOptions['driver']): ReleaseEngine {
  return { cluster, store: createStore({ driver }, cluster) }
}

async function tolerate(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!isLadingError(error)) throw error
  }
}

async function heal(
  engine: ReleaseEngine,
  kind: CrashContent,
  namespace: string,
  operation: CrashOperation,
): Promise<void> {
  try {
    await operate(engine, kind, namespace, operation)
  } catch (error) {
    // The crash came after everything was done: the command finds nothing left to do.
    if (!isLadingError(error, 'release.exists', 'release.not-found')) throw error
  }
}

const outcomes: Readonly<Record<CrashOperation, Version | undefined>> = {
  install: 'one',
  upgrade: 'two',
  rollback: 'one',
  uninstall: undefined,
}
