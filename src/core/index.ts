export { type Clock, type ManualClock, manualClock, monotonicNow, systemClock } from './clock.ts'
export { compareText } from './compare-text.ts'
export { connectionCode, isTlsCode } from './connection-code.ts'
export { type Context, context, type Fence, requireLock } from './context.ts'
export { type CronSchedule, parseCron } from './cron.ts'
export {
  type Deadline,
  during,
  endOf,
  followDuring,
  followWithinDeadline,
  overtime,
  timeLeft,
  withinDeadline,
} from './deadline.ts'
export { defined } from './defined.ts'
export { parseDuration } from './duration.ts'
export { type ErrorRow, errorRow, errorTable } from './error-table.ts'
export { abortError, type ErrorCode, type ErrorDetails, isLadingError, LadingError, toLadingError } from './errors.ts'
export { type GivenFileOptions, readGivenFile, readLimited, refuseDevice } from './given-file.ts'
export type { HookEvent, LadingEvent, ObjectAction, ObjectEvent, ObjectStatusName } from './events.ts'
export { isRecord, type Json, parseJson, stringifyJson } from './json.ts'
export { applyJsonPatch, type JsonPatchOptions, parsePointer } from './json-patch.ts'
export { jsonLog, type Log, type LogFields, type LogLevel, silentLog } from './log.ts'
export {
  createMask,
  isSecretKind,
  lastAppliedAnnotation,
  type Mask,
  maskSecret,
  wholeObjectAnnotations,
} from './mask.ts'
export { mergePatch } from './merge-patch.ts'
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
} from './object.ts'
export { type Operation, operation, type OperationOptions } from './operation.ts'
export { type LabelMatch, parseLabelSelector } from './label-selector.ts'
export { proxyFor } from './proxy.ts'
export { newSeed, randomBelow, type RandomSource, randomUuid, seededRandom } from './random-source.ts'
export { type Attempts, isFinalStatus, nextAttempt, type RetryPolicy } from './retry.ts'
export { type Program, type ProgramOutcome, runProgram } from './run-program.ts'
export { runConcurrently } from './run-concurrently.ts'
export { writeError } from './write-error.ts'
