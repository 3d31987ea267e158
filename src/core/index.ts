/**
 * Errors and their codes, objects and their identity, events, time, logs and JSON: what the other doors share.
 *
 * @module
 */
export { type Clock, type ManualClock, manualClock, monotonicNow, systemClock } from './time/clock.ts'
export { compareText } from './compare-text.ts'
export { connectionCode, isTlsCode } from './connection-code.ts'
export { type Context, context, type Fence, requireLock } from './context.ts'
export { type CronSchedule, parseCron } from './time/cron.ts'
export {
  type Deadline,
  during,
  endOf,
  followDuring,
  followWithinDeadline,
  overtime,
  timeLeft,
  withinDeadline,
} from './time/deadline.ts'
export { defined } from './defined.ts'
export { parseDuration } from './time/duration.ts'
export type { CommonDetails, DetailsOf, ErrorDetails } from './error-details.ts'
export { type ErrorRow, errorRow, errorTable } from './error-table.ts'
export { abortError, type ErrorCode, isLadingError, LadingError, toLadingError } from './errors.ts'
export type {
  EventLine,
  FieldConflict,
  Holdup,
  ObjectFailure,
  PodDiagnosis,
  StatusCause,
  WaitedObject,
} from './failed-objects.ts'
export { type GivenFileOptions, readGivenFile, readLimited, refuseDevice } from './given-file.ts'
export type { HookEvent, LadingEvent, ObjectAction, ObjectEvent, ObjectStatusName } from './operations/events.ts'
export { isRecord, type Json, parseJson, stringifyJson } from './json/json.ts'
export { applyJsonPatch, type JsonPatchOptions, parsePointer } from './json/json-patch.ts'
export { type Log, type LogFields, type LogLevel, silentLog } from './log.ts'
export {
  createMask,
  isSecretKind,
  lastAppliedAnnotation,
  type Mask,
  maskSecret,
  wholeObjectAnnotations,
} from './objects/mask.ts'
export { mergePatch } from './json/merge-patch.ts'
export { manyLines, oneLine } from './one-line.ts'
export {
  formatApiVersion,
  formatRef,
  type GroupVersionKind,
  gvkOf,
  type KubeObject,
  type ManagedFieldsEntry,
  objectId,
  type ObjectMeta,
  type ObjectRef,
  type OwnerReference,
  parseApiVersion,
  parseObjectId,
  refOf,
  sameObject,
  type UntypedObject,
} from './objects/object.ts'
export {
  isDataKey,
  isDnsLabel,
  isDnsLabel1035,
  isDnsSubdomain,
  isLabelValue,
  isPortName,
  isQualifiedName,
  labelValueMessage,
  qualifiedNameMessage,
} from './objects/names.ts'
export { type Operation, operation, type OperationOptions } from './operations/operation.ts'
export { type LabelMatch, parseLabelSelector } from './objects/label-selector.ts'
export { newSeed, randomBelow, type RandomSource, randomUuid, seededRandom } from './random-source.ts'
export { type Attempts, isFinalStatus, nextAttempt, type RetryPolicy } from './time/retry.ts'
export { type Program, type ProgramOutcome, runProgram } from './run-program.ts'
export { runConcurrently } from './operations/run-concurrently.ts'
export { writeError } from './write-error.ts'
export type { Defined } from './defined.ts'
export type { InFile, NotReady, OfRelease, OtherDetails } from './error-details.ts'
export type { DetailsArguments } from './errors.ts'
export type { Texts } from './objects/label-selector.ts'
