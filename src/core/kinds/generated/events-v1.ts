// Written by scripts/generate-kinds.ts from src/schema/data; do not edit.
import type { MicroTime, NamedObjectMeta, Time } from '../object-meta.ts'
import type { EventSource, ObjectReference } from './core-v1.ts'

/** The kind `Event` of `events.k8s.io/v1`. */
export type EventsV1Event = {
  apiVersion: 'events.k8s.io/v1'
  kind: 'Event'
  metadata: NamedObjectMeta
  action?: string
  deprecatedCount?: number
  deprecatedFirstTimestamp?: Time
  deprecatedLastTimestamp?: Time
  deprecatedSource?: EventSource
  eventTime: MicroTime
  note?: string
  reason?: string
  regarding?: ObjectReference
  related?: ObjectReference
  reportingController?: string
  reportingInstance?: string
  series?: EventsV1EventSeries
  type?: string
}

/** `EventSeries` of `events/v1`. */
export type EventsV1EventSeries = {
  count: number
  lastObservedTime: MicroTime
}
