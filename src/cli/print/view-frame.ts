import {
  formatRef,
  type LadingEvent,
  type ObjectAction,
  objectId,
  type ObjectRef,
  type ObjectStatusName,
  oneLine,
} from '../../core/index.ts'
import { actionColours, type Paint, statusColours } from './print-events.ts'

/** One object as the live view knows it. */
export interface ViewObject {
  readonly ref: ObjectRef
  readonly action?: ObjectAction
  readonly status?: ObjectStatusName
  readonly message?: string
}

/** What the live view shows, gathered from events. */
export interface View {
  readonly title: string
  readonly stage: string | undefined
  readonly expected: number
  readonly objects: ReadonlyMap<string, ViewObject>
}

/** How much room there is, and how long it has taken. */
export interface Frame {
  readonly columns: number
  readonly rows: number
  readonly elapsedMs: number
}

/** An empty view. */
export function emptyView(title: string): View {
  return { title, stage: undefined, expected: 0, objects: new Map() }
}

/** The view after an event. */
export function noteEvent(view: View, event: LadingEvent): View {
  switch (event.type) {
    case 'stage-started':
      return { ...view, stage: event.stage, expected: view.expected + event.objects }
    case 'stage-finished':
      return { ...view, stage: undefined }
    case 'object': {
      const { ref, action, reason } = event
      return withObject(view, { ref, action, message: reason })
    }
    case 'status': {
      const { ref, status, message } = event
      return withObject(view, { ref, status, message })
    }
    case 'hook':
    case 'blob':
    case 'warning':
    case 'progress':
      return view
  }
}

/** The lines of a view: a heading with counts and time, then the objects that matter most. */
export function frameLines(view: View, frame: Frame, colour: Paint): string[] {
  const objects = [...view.objects.values()].toSorted((a, b) => urgency(a) - urgency(b))
  const room = Math.max(1, Math.min(frame.rows - 3, 16))
  const shown = objects.slice(0, objects.length > room ? room - 1 : room)
  const more = objects.length - shown.length
  const width = Math.max(0, ...shown.map(({ ref }) => formatRef(ref).length))
  return [
    cut(heading(view, frame.elapsedMs), frame.columns, (text) => colour(text, 'bold')),
    ...shown.map((object) => objectLine(object, width, frame.columns, colour)),
    ...(more === 0 ? [] : [colour(`  and ${more} more`, 'dim')]),
  ]
}

/** One line that says what came of it all. */
export function summaryLine({ title, objects }: View, elapsedMs: number): string {
  const counts = new Map<string, number>()
  for (const { action } of objects.values()) if (action !== undefined) counts.set(action, (counts.get(action) ?? 0) + 1)
  const parts = [...counts].map(([action, count]) => `${count} ${action}`)
  const waited = [...objects.values()].filter(({ status }) => status !== undefined)
  const ready = waited.filter(({ status }) => status === 'Current').length
  const readiness = waited.length === 0 ? [] : [`${ready} of ${waited.length} ready`]
  return `${title}: ${[...parts, ...readiness, clockText(elapsedMs)].join(', ')}`
}

function withObject(view: View, object: ViewObject): View {
  const id = objectId(object.ref)
  // One map for the life of the view: a copy for each of thousands of events would be felt.
  const objects = view.objects as Map<string, ViewObject>
  objects.set(id, { ...objects.get(id), ...object })
  return { ...view, objects }
}

function heading({ title, stage, expected, objects }: View, elapsedMs: number): string {
  const all = [...objects.values()]
  const written = all.filter(({ action }) => action !== undefined).length
  const waited = all.filter(({ status }) => status !== undefined)
  const ready = waited.filter(({ status }) => status === 'Current').length
  const parts = [
    ...(expected === 0 ? [] : [`${written}/${expected} objects`]),
    ...(waited.length === 0 ? [] : [`${ready}/${waited.length} ready`]),
    ...(stage === undefined ? [] : [stage]),
    clockText(elapsedMs),
  ]
  return `${title}  ${parts.join('  ')}`
}

function objectLine(
  { ref, action, status, message }: ViewObject,
  width: number,
  columns: number,
  paint: Paint,
): string {
  const name = `  ${formatRef(ref).padEnd(width)}  `
  const word = status ?? action ?? ''
  const text = cut(`${name}${word}${message === undefined || message === '' ? '' : `: ${message}`}`, columns, (s) => s)
  const colour = status === undefined ? actionColours[action ?? 'skipped'] : statusColours[status]
  return `${text.slice(0, name.length)}${paint(text.slice(name.length), colour)}`
}

// What failed first, then what is awaited, then what was written, and last what needs no look.
function urgency({ action, status }: ViewObject): number {
  if (action === 'failed' || status === 'Failed') return 0
  if (status !== undefined && status !== 'Current') return 1
  if (status === undefined && action !== 'unchanged') return 2
  return 3
}

function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

// A line that wraps would be counted as one and leave its rest behind.
function cut(text: string, columns: number, paint: (text: string) => string): string {
  const line = oneLine(text.trimEnd())
  return paint(line.length < columns ? line : `${line.slice(0, Math.max(0, columns - 2))}…`)
}
