import { defined, type ErrorCode, formatRef, LadingError, type ObjectRef } from '../../core/index.ts'
import type { FieldConflict, SetObject } from '../../kube/index.ts'
import type { ObjectProblem } from './desired.ts'
import type { Plan, PlanAction } from '../plan.ts'

/** An object that cannot be made what it should be, and why. */
export interface Refusal {
  readonly ref: ObjectRef
  readonly message: string
  readonly conflicts?: readonly FieldConflict[]
  readonly code?: ErrorCode
}

/** Refuses to carry out a plan in which something cannot be done, with everything that stands in its way. */
export function refusePlan(plan: Pick<Plan, 'actions' | 'hooks'>): void {
  const hooks = plan.hooks.flatMap(({ ref, problem: message, code }) =>
    message === undefined ? [] : [{ ref, message, ...defined({ code }) }],
  )
  refuseAll([...refusalsOf(plan), ...hooks])
}

/** Throws one error for everything that stands in the way, if anything does. */
export function refuseAll(refusals: readonly Refusal[]): void {
  if (refusals.length > 0) throw problem(commonCode(refusals), refusals)
}

/** The refusal of objects that are wrong in themselves, together with what the server refuses of the others. */
export function problemsError(problems: readonly ObjectProblem[], others: readonly Refusal[] = []): LadingError {
  const [only, ...more] = problems
  const isAlone = more.length === 0 && others.length === 0
  if (only !== undefined && isAlone && inputCodes.has(only.error.code)) return only.error
  const own = problems.map(({ ref, error }) => ({ ref, message: error.message, code: error.code }))
  const isInput = others.length === 0 && own.every(({ code }) => inputCodes.has(code))
  return problem(isInput ? inputCode(own) : 'apply.failed', [...own, ...others])
}

/** What can be seen to be wrong without a cluster. */
const inputCodes: ReadonlySet<ErrorCode> = new Set<InputCode>([
  'hook.invalid',
  'cel.invalid',
  'wave.cycle',
  'object.invalid',
  'object.duplicate',
])

type InputCode = 'hook.invalid' | 'cel.invalid' | 'wave.cycle' | 'object.invalid' | 'object.duplicate'

function inputCode(refusals: readonly { readonly code: ErrorCode }[]): ErrorCode {
  const [first, ...more] = new Set(refusals.map(({ code }) => code))
  return first !== undefined && more.length === 0 ? first : 'hook.invalid'
}

/** What can be allowed is told as that, if nothing else is in the way: then there is one next step for all of it. */
function commonCode(refusals: readonly Refusal[]): ProblemCode {
  const codes = new Set(refusals.map(({ code }) => code))
  const [only] = codes
  return codes.size === 1 && isAllowable(only) ? only : 'apply.failed'
}

const allowable = [
  'kube.field-conflict',
  'kube.immutable',
  'kube.terminating',
  'release.not-owned',
  'release.crd-in-use',
  'release.namespace-in-use',
] as const
type Allowable = (typeof allowable)[number]
type ProblemCode = Allowable | 'apply.failed'

function isAllowable(code: ErrorCode | undefined): code is Allowable {
  return allowable.some((known) => known === code)
}

/** Everything of a plan that cannot be done: what is invalid first, then conflicts. */
export function refusalsOf({ actions }: Pick<Plan, 'actions'>): Refusal[] {
  const of = (wanted: PlanAction['action']): readonly PlanAction[] => actions.filter(({ action }) => action === wanted)
  return [...of('invalid'), ...of('conflict')].map(({ ref, reason = 'refused', conflicts, code }) => ({
    ref,
    message: reason,
    ...(conflicts === undefined ? {} : { conflicts }),
    ...(code === undefined ? {} : { code }),
  }))
}

/** What was refused when it was written. */
export function failuresOf(objects: readonly SetObject[]): Refusal[] {
  return objects.flatMap(({ ref, action, error }) =>
    action === 'failed' ? [{ ref, message: error?.message ?? 'refused' }] : [],
  )
}

/** The failure of an operation that went on past what it could not do. */
export function notAllApplied(refusals: readonly Refusal[]): LadingError {
  return problem('apply.failed', refusals)
}

/** One object is told with its reasons; of many the names, for the reasons stand beside them as data. */
function problem(code: ErrorCode, refusals: readonly Refusal[]): LadingError {
  const failures = refusals.map((refusal) => ({ ...refusal, message: reasonAlone(refusal) }))
  const [first] = failures
  // An object may have several mistakes.
  const names = [...new Set(failures.map(({ ref }) => formatRef(ref)))]
  const message =
    first !== undefined && names.length === 1
      ? `${formatRef(first.ref)}: ${failures.map(({ message }) => message).join('; ')}`
      : `${names.length} objects cannot be applied: ${names.join(', ')}`
  return new LadingError(code, message, { failures })
}

/** Some reasons begin with the name of their object. */
function reasonAlone({ ref, message }: Refusal): string {
  const name = `${formatRef(ref)}: `
  return message.startsWith(name) ? message.slice(name.length) : message
}
