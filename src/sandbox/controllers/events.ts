import { createHash } from 'node:crypto'
import { type KubeObject, stringifyJson } from '../../core/index.ts'
import { type Backend, timestamp } from '../backend.ts'
import { number } from '../object-parts.ts'

const collection = '/events'

/** What is told of an object. */
export interface EventText {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/** Records what a component did to an object, for `kubectl describe`; the same again is counted on the same Event. */
export function recordEvent(backend: Backend, component: string, object: KubeObject, event: EventText): void {
  const { namespace = 'default', uid = '' } = object.metadata
  const home = backend.store.get('/namespaces', '', namespace)
  if (home === undefined || home.metadata.deletionTimestamp !== undefined) return
  const name = `${object.metadata.name}.${fingerprint([component, uid, event.type, event.reason, event.message])}`
  const now = timestamp(backend.clock)
  const known = backend.store.get(collection, namespace, name)
  // Events are stored as they are: nobody applies them, so nobody needs to own their fields.
  backend.store.put(
    collection,
    known === undefined
      ? newEvent(backend, component, object, event, { name, namespace, uid: backend.uid(), creationTimestamp: now })
      : { ...known, count: number(known['count'], 1) + 1, lastTimestamp: now },
  )
}

function newEvent(
  backend: Backend,
  component: string,
  object: KubeObject,
  event: EventText,
  metadata: KubeObject['metadata'],
): KubeObject {
  const { name, namespace, uid, resourceVersion } = object.metadata
  // The scheduler speaks the newer events API, whose Events carry one exact time and what was attempted.
  const scheduler = component === 'default-scheduler'
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata,
    involvedObject: {
      apiVersion: object.apiVersion,
      kind: object.kind,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid,
      resourceVersion,
    },
    ...event,
    source: scheduler ? {} : { component },
    ...(scheduler ? { action: event.type === 'Normal' ? 'Binding' : 'Scheduling' } : { count: 1 }),
    firstTimestamp: scheduler ? null : metadata.creationTimestamp,
    lastTimestamp: scheduler ? null : metadata.creationTimestamp,
    eventTime: scheduler ? new Date(backend.clock.now()).toISOString().replace('Z', '000Z') : null,
    reportingComponent: component,
    reportingInstance: scheduler ? 'default-scheduler-sandbox' : '',
  }
}

function fingerprint(parts: readonly string[]): string {
  return createHash('sha1').update(stringifyJson(parts)).digest('hex').slice(0, 16)
}
