import {
  formatRef,
  type HookEvent,
  type LadingEvent,
  type ObjectAction,
  type ObjectStatusName,
} from '../../core/index.ts'
import { type Colour, paint, printable } from './colour.ts'
import type { Io } from '../io.ts'
import { printLine } from './print-line.ts'

/** Prints the events of a long operation on stderr as they come and gives what the operation returned. */
export async function printEvents<Result>(events: AsyncGenerator<LadingEvent, Result>, io: Io): Promise<Result> {
  const colour = paint(io.stderr, io.env)
  for (;;) {
    const next = await events.next()
    if (next.done === true) return next.value
    const line = eventLine(next.value, colour)
    if (line !== undefined) printLine(io.stderr, line)
  }
}

/** Colours a text, or leaves it as it is. */
export type Paint = (text: string, colour: Colour) => string

/** One event as a line for people; undefined for what needs none. */
export function eventLine(event: LadingEvent, colour: Paint): string | undefined {
  switch (event.type) {
    case 'stage-started':
      return colour(
        `${event.stage}: ${event.objects} ${event.objects === 1 ? 'object' : 'objects'}${dry(event)}`,
        'bold',
      )
    case 'stage-finished':
      return undefined
    case 'object': {
      const reason = event.reason === undefined ? '' : `: ${event.reason}`
      return `  ${formatRef(event.ref)} ${colour(event.action, actionColours[event.action])}${dry(event)}${reason}`
    }
    case 'status': {
      const message = event.message === '' ? '' : `: ${event.message}`
      return `  ${formatRef(event.ref)} ${colour(event.status, statusColours[event.status])}${message}`
    }
    case 'hook': {
      const message = event.message === undefined ? '' : `: ${event.message}`
      const shown = event.fatal === true ? [] : (event.log ?? [])
      const log = shown.map((text) => `\n${colour(printable(text), 'dim')}`).join('')
      return `  ${event.phase} hook ${formatRef(event.ref)} ${colour(event.status, hookColours[event.status])}${message}${log}`
    }
    case 'blob': {
      const tint = event.action === 'present' ? 'dim' : 'green'
      return `  ${event.digest} ${colour(event.action, tint)} (${event.size} bytes, ${printable(event.mediaType)})`
    }
    case 'warning': {
      const subject = event.ref === undefined ? '' : `${formatRef(event.ref)}: `
      return `${colour('warning:', 'yellow')} ${subject}${event.message}`
    }
    case 'progress': {
      const count = event.total === undefined ? '' : ` (${event.done ?? 0}/${event.total})`
      return `${event.message}${count}`
    }
  }
}

function dry(event: { dryRun: boolean }): string {
  return event.dryRun ? ' (dry run)' : ''
}

const hookColours: Record<HookEvent['status'], Colour> = {
  started: 'cyan',
  succeeded: 'green',
  failed: 'red',
  retried: 'yellow',
  deleted: 'dim',
}

/** The colour of each outcome. */
export const actionColours: Record<ObjectAction, Colour> = {
  created: 'green',
  configured: 'yellow',
  unchanged: 'dim',
  replaced: 'yellow',
  deleted: 'yellow',
  skipped: 'dim',
  failed: 'red',
}

/** The colour of each status. */
export const statusColours: Record<ObjectStatusName, Colour> = {
  Current: 'green',
  InProgress: 'cyan',
  Failed: 'red',
  Terminating: 'yellow',
  NotFound: 'dim',
  Unknown: 'dim',
}
