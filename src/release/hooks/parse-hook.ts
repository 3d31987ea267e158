import { compareText, type KubeObject, type LadingError } from '../../core/index.ts'
import { annotation, annotationList, invalidAnnotation, isHelms, mistakesIn } from '../annotations/annotations.ts'
import type { HookPhase } from '../record/record.ts'

/** When a hook's object is removed. */
export type HookDeletePolicy = 'before-hook-creation' | 'hook-succeeded' | 'hook-failed'

/** What a failing hook does to the operation. */
export type HookFailurePolicy =
  | { readonly type: 'fail' | 'continue' | 'rollback' }
  | { readonly type: 'retry'; readonly retries: number }

/** An object that runs at phases of a release instead of being part of it. */
export interface Hook {
  readonly object: KubeObject
  /** Empty for one that Helm's annotation asks for at a phase that nobody knows: as with Helm, it never runs. */
  readonly phases: readonly HookPhase[]
  readonly weight: number
  readonly deletePolicies: readonly HookDeletePolicy[]
  readonly failurePolicy: HookFailurePolicy
  /** Limit of its own; the operation's timeout holds in any case. */
  readonly timeoutMs?: number
}

const phases: Readonly<Record<string, HookPhase>> = {
  'pre-install': 'pre-install',
  'post-install': 'post-install',
  'pre-upgrade': 'pre-upgrade',
  'post-upgrade': 'post-upgrade',
  'pre-rollback': 'pre-rollback',
  'post-rollback': 'post-rollback',
  'pre-delete': 'pre-delete',
  'post-delete': 'post-delete',
  test: 'test',
  'test-success': 'test',
}

const deletePolicies: readonly string[] = ['before-hook-creation', 'hook-succeeded', 'hook-failed']

function isDeletePolicy(name: string): name is HookDeletePolicy {
  return deletePolicies.includes(name)
}

/** Reads the hook out of an object's annotations; undefined when it is an ordinary object. */
export function parseHook(object: KubeObject): Hook | undefined {
  if (annotation(object, 'hook') === undefined) return undefined
  const timeoutMs = parseTimeout(object)
  return {
    object,
    phases: parsePhases(object),
    weight: parseWeight(object),
    deletePolicies: parseDeletePolicies(object),
    failurePolicy: parseFailurePolicy(object),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}

/** What is wrong with the annotations of a hook. */
export function hookMistakes(object: KubeObject): LadingError[] {
  const unreadable = mistakesIn(() => annotation(object, 'hook'))
  if (unreadable.length > 0 || annotation(object, 'hook') === undefined) return unreadable
  const readers = [parsePhases, parseWeight, parseDeletePolicies, parseFailurePolicy, parseTimeout]
  return mistakesIn(...readers.map((read) => () => read(object)))
}

/** Separates hooks from the objects that make up the release. */
export function splitHooks(objects: readonly KubeObject[]): { objects: KubeObject[]; hooks: Hook[] } {
  const result: { objects: KubeObject[]; hooks: Hook[] } = { objects: [], hooks: [] }
  for (const object of objects) {
    const hook = parseHook(object)
    if (hook === undefined) result.objects.push(object)
    else result.hooks.push(hook)
  }
  return result
}

/** The hooks of a phase in the order in which they run: by weight, then kind order is the caller's, then name. */
export function hooksOf(hooks: readonly Hook[], phase: HookPhase): Hook[] {
  return hooks
    .filter((hook) => hook.phases.includes(phase))
    .sort((a, b) => a.weight - b.weight || compareText(a.object.metadata.name, b.object.metadata.name))
}

function parsePhases(object: KubeObject): HookPhase[] {
  const names = annotationList(object, 'hook')
  if (isHelms(object, 'hook') && names.some((name) => phaseOf(name) === undefined)) return []
  const found = names.map((name) => {
    const phase = phaseOf(name)
    if (phase === undefined)
      throw invalidAnnotation(object, 'hook', `${name} is no phase; the phases are ${Object.keys(phases).join(', ')}`)
    return phase
  })
  if (found.length === 0) throw invalidAnnotation(object, 'hook', 'it names no phase')
  return [...new Set(found)]
}

function phaseOf(name: string): HookPhase | undefined {
  const known = name.toLowerCase()
  return Object.hasOwn(phases, known) ? phases[known] : undefined
}

function parseWeight(object: KubeObject): number {
  const text = annotation(object, 'hook-weight')?.trim() ?? ''
  if (text === '') return 0
  if (!/^[+-]?\d{1,9}$/.test(text) && isHelms(object, 'hook-weight')) return 0
  if (!/^[+-]?\d{1,9}$/.test(text)) throw invalidAnnotation(object, 'hook-weight', `${text} is no whole number`)
  return Number(text)
}

function parseDeletePolicies(object: KubeObject): HookDeletePolicy[] {
  const names = annotationList(object, 'hook-delete-policy')
  const unknown = names.find((name) => !isDeletePolicy(name))
  if (unknown !== undefined && !isHelms(object, 'hook-delete-policy')) {
    throw invalidAnnotation(
      object,
      'hook-delete-policy',
      `${unknown} is no policy; the policies are ${deletePolicies.join(', ')}`,
    )
  }
  // As in Helm, a hook that says nothing is replaced by the next run, so that its log can be read until then.
  return names.length === 0 ? ['before-hook-creation'] : [...new Set(names.filter(isDeletePolicy))]
}

function parseFailurePolicy(object: KubeObject): HookFailurePolicy {
  const text = annotation(object, 'hook-failure-policy')?.trim() ?? 'fail'
  const retries = annotation(object, 'hook-retries')?.trim()
  if (text === 'fail' || text === 'continue' || text === 'rollback') return { type: text }
  const match = /^retry(?:\((\d{1,3})\))?$/.exec(text)
  if (match === null) {
    throw invalidAnnotation(
      object,
      'hook-failure-policy',
      `${text} is no policy; the policies are fail, continue, rollback, retry(n)`,
    )
  }
  if (retries !== undefined && !/^\d{1,3}$/.test(retries))
    throw invalidAnnotation(object, 'hook-retries', `${retries} is no count from 0 to 999`)
  return { type: 'retry', retries: Number(match[1] ?? retries ?? 1) }
}

function parseTimeout(object: KubeObject): number | undefined {
  const text = annotation(object, 'hook-timeout')?.trim()
  if (text === undefined) return undefined
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text)
  if (match === null || Number(match[1]) === 0) {
    throw invalidAnnotation(object, 'hook-timeout', `${text} is no duration; write 500ms, 90s, 5m or 1h`)
  }
  const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
  return Number(match[1]) * units[(match[2] ?? 's') as keyof typeof units]
}
