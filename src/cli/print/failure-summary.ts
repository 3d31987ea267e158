import { formatRef, isRecord, type LadingError, type ObjectRef, oneLine, stringifyJson } from '../../core/index.ts'
import type { EventLine, FieldConflict, PodDiagnosis } from '../../kube/index.ts'
import { printable } from './colour.ts'
import type { Paint } from './print-events.ts'

/** What explains a failure: the objects at fault, their events, their pods and the ends of their logs. */
export function failureSummary({ details }: LadingError, colour: Paint): string[] {
  const failures = records(details['failures']) as unknown as Failure[]
  return [
    ...(records(details['objects']) as unknown as Waited[]).flatMap((object) => waitedLines(object, colour)),
    // A single one is what the message is about.
    ...failures.flatMap((failure) =>
      failures.length === 1
        ? [...conflictsOf(failure, '  '), ...hookLog(failure, '  ', colour)]
        : failureLines(failure, colour),
    ),
    ...hookLog(details, '  ', colour),
    ...conflictLines(details['conflicts'], '  '),
  ]
}

interface Waited {
  readonly ref: ObjectRef
  readonly status: string
  readonly message: string
  readonly events?: readonly EventLine[]
  readonly pods?: readonly PodDiagnosis[]
}

interface Failure {
  readonly ref: ObjectRef
  readonly message?: string
  /** What a test wrote before it failed. */
  readonly log?: readonly string[]
  readonly conflicts?: unknown
  readonly details?: { readonly conflicts?: unknown }
}

function waitedLines({ ref, status, message, events = [], pods = [] }: Waited, colour: Paint): string[] {
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

function failureLines(failure: Failure, colour: Paint): string[] {
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
  { ref, log }: { readonly ref?: unknown; readonly log?: unknown },
  indent: string,
  colour: Paint,
): string[] {
  const lines = Array.isArray(log) ? log.filter((line) => typeof line === 'string') : []
  if (lines.length === 0 || !isRecord(ref)) return []
  const name = formatRef(ref as unknown as ObjectRef)
  return [`${indent}log of ${name}:`, ...lines.map((line) => `${indent}  ${colour(printable(line), 'dim')}`)]
}

function conflictsOf({ conflicts, details }: Failure, indent: string): string[] {
  return conflictLines(conflicts ?? details?.conflicts, indent)
}

function conflictLines(conflicts: unknown, indent: string): string[] {
  return (records(conflicts) as unknown as FieldConflict[]).map(({ manager, path, ours, theirs }) =>
    oneLine(`${indent}${path} belongs to ${manager}: ${stringifyJson(theirs)}, wanted ${stringifyJson(ours)}`),
  )
}

// Details are data of many codes: only lists of records with these names are shown.
function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}
