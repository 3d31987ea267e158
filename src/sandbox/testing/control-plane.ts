import { gvkOf, type KubeObject, type ManualClock, manualClock } from '../../core/index.ts'
import { decodeObject } from '../api/write/decode-object.ts'
import type { Backend } from '../backend.ts'
import { Catalog } from '../catalog.ts'
import { allControllers } from '../controllers/all.ts'
import { runControllers } from '../controllers/run.ts'
import { seedCluster } from '../controllers/seed.ts'
import { createAs, deleteAs, type NewObject, updateAs } from '../controllers/writes.ts'
import { startCrdController } from '../crd/controller.ts'
import { seedNamespaces } from '../seed.ts'
import { type SimulatorName, simulators } from '../simulators/index.ts'
import { Store } from '../store.ts'

/** Controllers on a store of their own, without a server; time stands still until it is moved. */
export interface ControlPlane {
  readonly backend: Backend
  readonly clock: ManualClock
  create(object: NewObject): KubeObject
  /** Changes an object as somebody at a keyboard would, and waits for what follows. */
  change(object: KubeObject, spec: Record<string, unknown>): Promise<void>
  remove(object: KubeObject, propagationPolicy?: 'Orphan' | 'Background' | 'Foreground'): Promise<void>
  /** Any object as the test reads it. */
  get(collection: string, name: string, namespace?: string): Loose | undefined
  list(collection: string, namespace?: string): Loose[]
  idle(): Promise<void>
  /** Moves time on, and waits for what follows. */
  advance(ms: number): Promise<void>
  /** Ends it; throws when a controller could not do what it wanted to. */
  stop(): void
}

/** An object whose parts a test reads without asking. */
export type Loose = KubeObject & {
  spec: Record<string, unknown>
  status: Record<string, unknown> & { conditions?: { type: string; status: string; reason: string; message: string }[] }
}

/** Starts controllers for a test. */
export function controlPlane(simulate: readonly SimulatorName[] = [], nodes = 1): ControlPlane {
  const store = new Store()
  const clock = manualClock(Date.parse('2026-01-01T00:00:00Z'))
  let ids = 0
  const backend: Backend = {
    store,
    catalog: new Catalog(store),
    clock,
    uid: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
    suffix: () => String((ids += 1)).padStart(5, '0'),
  }
  seedNamespaces(backend)
  seedCluster(backend, nodes)
  const failures: string[] = []
  const note = (message: string, fields?: unknown): void => void failures.push(`${message} ${JSON.stringify(fields)}`)
  const log = { debug: note, info: note, warn: note, error: note }
  const stopCrds = startCrdController(backend)
  const running = runControllers(backend, [...allControllers(), ...simulators(simulate)], log)
  return {
    backend,
    clock,
    create: (object) => {
      const namespaced = backend.catalog.ofKind(gvkOf(object))?.namespaced === true
      const home = namespaced ? { namespace: 'default' } : {}
      return createAs(backend, 'test', { ...object, metadata: { ...home, ...object.metadata } })
    },
    change: async (object, spec) => {
      const type = backend.catalog.ofKind(gvkOf(object))
      if (type === undefined) throw new TypeError(`${object.kind} is not served`)
      const { namespace = '', name } = object.metadata
      const current = store.get(type.collection, namespace, name) ?? object
      updateAs(backend, 'test', decodeObject(type, { ...current, spec: { ...(current['spec'] as object), ...spec } }))
      await running.idle()
    },
    remove: async (object, propagationPolicy = 'Background') => {
      deleteAs(backend, object, { propagationPolicy })
      await running.idle()
    },
    get: (collection, name, namespace = 'default') => store.get(collection, namespace, name) as Loose | undefined,
    list: (collection, namespace = 'default') => store.list(collection, namespace) as Loose[],
    idle: () => running.idle(),
    advance: async (ms) => {
      await running.idle()
      // Second by second, so that what was woken is done before the next one's time has come.
      for (let left = ms; left > 0; left -= 1000) {
        await clock.advance(Math.min(left, 1000))
        await running.idle()
      }
    },
    stop: () => {
      running.stop()
      stopCrds()
      if (failures.length > 0) throw new Error(failures.join('\n'))
    },
  }
}

/** The template of Pods with one container. */
export function podTemplate(app: string, extra: Record<string, unknown> = {}): Record<string, unknown> {
  const { annotations, ...spec } = extra
  return {
    metadata: { labels: { app }, ...(annotations === undefined ? {} : { annotations }) },
    spec: { containers: [{ name: 'main', image: 'app:1' }], ...spec },
  }
}

/** A workload of `apps/v1` with that template. */
export function workload(kind: string, name: string, spec: Record<string, unknown> = {}): NewObject {
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace: 'default' },
    spec: { selector: { matchLabels: { app: name } }, template: podTemplate(name), ...spec },
  }
}
