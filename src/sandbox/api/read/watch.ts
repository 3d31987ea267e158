import type { KubeObject } from '../../../core/index.ts'
import type { Backend } from '../../backend.ts'
import type { StoreEvent } from '../../store.ts'
import { expired, unreadableVersion } from '../../status-error.ts'
import { inVersion } from './in-version.ts'
import { checkWatchOptions } from './list-options.ts'
import { switchOf } from '../parameters.ts'
import type { ResourceRequest } from '../resource-request.ts'
import { type Selector, selectorOf } from './selectors.ts'

/** One line of a watch. */
export interface WatchLine {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: KubeObject
}

/**
 * Starts a watch: first what it has missed (or everything, when it starts without a version), then each change as it
 * happens. `sendLine` is called in order; the result stops it.
 */
export function watch(
  backend: Backend,
  info: ResourceRequest,
  query: URLSearchParams,
  sendLine: (line: WatchLine) => void,
): () => void {
  const { store } = backend
  const { type, namespace } = info
  const inOwnVersion = (line: WatchLine): void => sendLine({ ...line, object: inVersion(type, line.object) })
  const send = type.crd === undefined ? sendLine : inOwnVersion
  checkWatchOptions(query)
  const selected = selectorOf(type, query)
  const asked = query.get('resourceVersion') ?? ''
  const wanted = switchOf(query, 'sendInitialEvents')
  if (!/^\d*$/.test(asked)) throw unreadableVersion(asked)
  // Old clients that name no version get everything too.
  const initial = wanted ?? (asked === '' || asked === '0')
  if (initial) {
    for (const object of store.list(type.collection, namespace)) {
      if (selected === undefined || selected(object)) send({ type: 'ADDED', object })
    }
    if (switchOf(query, 'allowWatchBookmarks') === true) send(bookmark(type, store.version, true))
  } else if (asked !== '' && asked !== '0') {
    const missed = store.since(type.collection, Number(asked))
    if (missed === undefined) throw expired(`too old resource version: ${asked} (${store.forgottenVersion})`)
    for (const event of missed) deliver(event, namespace, selected, send)
  }
  return store.listen((collection, event) => {
    if (collection === type.collection) deliver(event, namespace, selected, send)
  })
}

/** The line that tells a watcher how far it is, without an object. */
export function bookmark(type: ResourceRequest['type'], version: number, initialEnd = false): WatchLine {
  const annotations = initialEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}
  const metadata = {
    resourceVersion: String(version),
    ...(type.crd === undefined ? {} : { creationTimestamp: null }),
    ...annotations,
  }
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`
  return { type: 'BOOKMARK', object: { kind: type.kind, apiVersion, metadata } as unknown as KubeObject }
}

// To a watcher with a selector, an object that begins to match is added and one that ceases to match is deleted.
function deliver(
  event: StoreEvent,
  namespace: string | undefined,
  selected: Selector | undefined,
  send: (line: WatchLine) => void,
): void {
  const { object, previous } = event
  if (namespace !== undefined && object.metadata.namespace !== namespace) return
  if (selected === undefined) {
    send({ type: event.type, object })
    return
  }
  const was = previous !== undefined && selected(previous)
  const is = event.type !== 'DELETED' && selected(object)
  if (is) send({ type: was ? 'MODIFIED' : 'ADDED', object })
  else if (was)
    send({ type: 'DELETED', object: event.type === 'DELETED' ? object : withVersion(previous, event.version) })
}

function withVersion(object: KubeObject, version: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } }
}
