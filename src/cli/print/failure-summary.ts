import {
  type EventLine,
  type FieldConflict,
  formatRef,
  type LadingError,
  type ObjectFailure,
  type ObjectRef,
  oneLine,
  type PodDiagnosis,
  stringifyJson,
  type WaitedObject,
} from '../../core/index.ts'
import { printable } from './colour.ts'
import type { Paint } from './print-events.ts'

/** What explains a failure: the objects at fault, their events, their pods and the ends of their logs. */
export function failureSummary({ details }: LadingError, colour: Paint): string[] {
  const { failures = [], objects = [], conflicts = [] } = details
  return [
    ...objects.filter(isWaited).flatMap((object) => waitedLines(object, colour)),
    // A single one is what the message is about.
    ...failures.flatMap((failure) =>
      failures.length === 1
        ? [...conflictsOf(failure, '  '), ...hookLog(failure, '  ', colour)]
        : failureLines(failure, colour),
    ),
    ...hookLog(details, '  ', colour),
    ...conflictLines(conflicts, '  '),
  ]
}

/** Duplicates and cycles list objects too; the message names those. */
function isWaited(object: WaitedObject | ObjectRef | string): object is WaitedObject {
  return typeof object === 'object' && 'ref' in object
}

function waitedLines({ ref, status, message, events = [], pods = [] }: WaitedObject, colour: Paint): string[] {
  return [
    `  ${colour(formatRef(ref), 'bold')} ${status}${message === '' ? '' : `: ${message}`}`,
    ...events.map((event) => `    ${eventText(event)}`),
    ...pods.flatMap((pod) => [
      `    ${formatRef(pod.ref)}${pod.message === '' ? '' : `: ${pod.message}`}`,
      ...pod.events.map((event) => `      ${eventText(event)}`),
      ...logLines(pod, colour),
    ]),
  ]
}

function logLines({ container, logTail = [] }: PodDiagnosis, colour: Paint): string[] {
  if (logTail.length === 0) return []
  const name = container === undefined ? '' : ` of ${container}`
  return [`      log${name}:`, ...logTail.map((line) => `        ${colour(printable(line), 'dim')}`)]
}

function eventText({ type, reason, message, count }: EventLine): string {
  return printable(`${type} ${reason}${count > 1 ? ` (x${count})` : ''}: ${message}`)
}

function failureLines(failure: ObjectFailure, colour: Paint): string[] {
  const { ref, message } = failure
  const reason = message === undefined ? '' : `: ${message}`
  return [
    `  ${colour(formatRef(ref), 'bold')}${reason}`,
    ...conflictsOf(failure, '    '),
    ...hookLog(failure, '    ', colour),
  ]
}

/** What a hook wrote before it failed. */
function hookLog(
  { ref, log = [] }: { readonly ref?: ObjectRef | string; readonly log?: readonly string[] },
  indent: string,
  colour: Paint,
): string[] {
  if (log.length === 0 || typeof ref !== 'object') return []
  return [`${indent}log of ${formatRef(ref)}:`, ...log.map((line) => `${indent}  ${colour(printable(line), 'dim')}`)]
}

function conflictsOf({ conflicts, details }: ObjectFailure, indent: string): string[] {
  return conflictLines(conflicts ?? details?.conflicts ?? [], indent)
}

function conflictLines(conflicts: readonly FieldConflict[], indent: string): string[] {
  return conflicts.map(({ manager, path, ours, theirs }) =>
    oneLine(`${indent}${path} belongs to ${manager}: ${stringifyJson(theirs)}, wanted ${stringifyJson(ours)}`),
  )
}
