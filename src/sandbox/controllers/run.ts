import { type Log, monotonicNow } from '../../core/index.ts'
import type { Backend } from '../backend.ts'
import type { Controller, ControllerEnv, Key } from './controller.ts'
import { ObjectIndex } from './object-index.ts'

/** Controllers at work. */
export interface RunningControllers {
  /** Resolves once there is nothing left to do at once; what waits for its time does not count. */
  idle(): Promise<void>
  stop(): void
}

/** How long controllers work before requests get their turn. */
const turnMs = 8

/** Lets controllers follow the store; each key waits in line once, however often it changed. */
export function runControllers(backend: Backend, controllers: readonly Controller[], log: Log): RunningControllers {
  const index = new ObjectIndex(backend.store)
  const queues = new Map<Controller, Map<string, Key>>(controllers.map((controller) => [controller, new Map()]))
  const timers = new Map<string, number>()
  const stopping = new AbortController()
  const waiting: (() => void)[] = []
  let scheduled = false

  const schedule = (): void => {
    if (scheduled || stopping.signal.aborted) return
    scheduled = true
    // After the current request is answered: a client sees the object it wrote before controllers change it.
    setImmediate(work)
  }

  const enqueue = (controller: Controller, key: Key): void => {
    queues.get(controller)?.set(textOf(key), key)
    schedule()
  }

  const work = (): void => {
    scheduled = false
    const end = performance.now() + turnMs
    for (const [controller, queue] of queues) {
      for (const [text, key] of queue) {
        queue.delete(text)
        reconcile(controller, key)
        if (performance.now() > end) {
          schedule()
          return
        }
      }
    }
    if (!scheduled || stopping.signal.aborted) for (const resolve of waiting.splice(0)) resolve()
  }

  const reconcile = (controller: Controller, key: Key): void => {
    const env: ControllerEnv = { backend, index, after: (ms, next) => later(controller, ms, next) }
    try {
      if (!stopping.signal.aborted) controller.reconcile(key, env)
    } catch (error) {
      // A write that lost a race is repeated by the change that won; anything else is worth knowing.
      log.warn('controller failed', { controller: controller.name, ...key, error: String(error) })
    }
  }

  const later = (controller: Controller, ms: number, key: Key): void => {
    const due = monotonicNow(backend.clock) + ms
    const timer = `${controller.name}|${textOf(key)}`
    if ((timers.get(timer) ?? Number.POSITIVE_INFINITY) <= due) return
    timers.set(timer, due)
    backend.clock.sleep(ms, stopping.signal).then(
      () => {
        if (timers.get(timer) === due) timers.delete(timer)
        enqueue(controller, key)
      },
      () => {
        // Stopped while waiting.
      },
    )
  }

  const dispatch = (collection: string, object: Parameters<Controller['watches'][string]>[0], rest: Change): void => {
    for (const controller of controllers) {
      const watch = controller.watches[collection] ?? controller.watches['*']
      if (watch === undefined) continue
      for (const key of watch(object, rest.previous, index, collection, rest.gone)) enqueue(controller, key)
    }
  }

  const unlisten = backend.store.listen((collection, event) => {
    index.follow(collection, event)
    dispatch(collection, event.object, { previous: event.previous, gone: event.type === 'DELETED' })
  })
  // What was there before, from a restart or a seed, is looked at once.
  for (const collection of backend.store.collections()) {
    for (const object of backend.store.list(collection))
      dispatch(collection, object, { previous: undefined, gone: false })
  }
  return {
    idle: () => (scheduled ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
    stop: () => {
      stopping.abort()
      unlisten()
    },
  }
}

interface Change {
  readonly previous: Parameters<Controller['watches'][string]>[1]
  readonly gone: boolean
}

function textOf({ collection = '', namespace, name }: Key): string {
  return `${collection}|${namespace}/${name}`
}
