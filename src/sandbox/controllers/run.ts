import type { Log } from '../../core/index.ts'
import type { Backend } from '../backend.ts'
import type { Controller, ControllerEnv, Key } from './controller.ts'

/** Controllers at work. */
export interface RunningControllers {
  /** Resolves once there is nothing left to do at once; what waits for its time does not count. */
  idle(): Promise<void>
  stop(): void
}

/** Lets controllers follow the store; each key waits in line once, however often it changed. */
export function runControllers(backend: Backend, controllers: readonly Controller[], log: Log): RunningControllers {
  const queues = new Map<Controller, Map<string, Key>>(controllers.map((controller) => [controller, new Map()]))
  const stopping = new AbortController()
  const waiting: (() => void)[] = []
  let scheduled = false

  const enqueue = (controller: Controller, key: Key): void => {
    queues.get(controller)?.set(`${key.namespace}/${key.name}`, key)
    if (scheduled || stopping.signal.aborted) return
    scheduled = true
    // After the current request is answered: a client sees the object it wrote before controllers change it.
    setImmediate(work)
  }

  const work = (): void => {
    scheduled = false
    for (const [controller, queue] of queues) {
      const keys = [...queue.values()]
      queue.clear()
      for (const key of keys) reconcile(controller, key)
    }
    if (!scheduled) for (const resolve of waiting.splice(0)) resolve()
  }

  const reconcile = (controller: Controller, key: Key): void => {
    const env: ControllerEnv = { backend, after: (ms, next) => void later(controller, ms, next) }
    try {
      if (!stopping.signal.aborted) controller.reconcile(key, env)
    } catch (error) {
      // A write that lost a race is repeated by the change that won; anything else is worth knowing.
      log.debug('controller failed', { controller: controller.name, ...key, error: String(error) })
    }
  }

  const later = async (controller: Controller, ms: number, key: Key): Promise<void> => {
    try {
      await backend.clock.sleep(ms, stopping.signal)
      enqueue(controller, key)
    } catch {
      // Stopped while waiting.
    }
  }

  const unlisten = backend.store.listen((collection, { object, previous }) => {
    for (const controller of controllers) {
      for (const key of controller.watches[collection]?.(object, previous) ?? []) enqueue(controller, key)
    }
  })
  return {
    idle: () => (scheduled ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
    stop: () => {
      stopping.abort()
      unlisten()
    },
  }
}
