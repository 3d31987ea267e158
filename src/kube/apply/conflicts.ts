import type { FieldConflict, KubeObject, ManagedFieldsEntry, Mask, ObjectRef } from '../../core/index.ts'
import { createMask, formatRef, isSecretKind, LadingError, wholeObjectAnnotations } from '../../core/index.ts'
import {
  type FieldPath,
  findPath,
  formatFieldPath,
  isOwnApply,
  ownedPaths,
  valueAt,
  withoutPath,
} from './managed-fields.ts'

/** Who wins a conflict at the paths that it names. */
export interface ConflictRule {
  /** A path as conflicts spell it; `*` stands for any run of characters: `.metadata.annotations.*`, `.spec.ports[*].nodePort`. */
  readonly path: string
  /** Only against this manager; `*` as in paths. */
  readonly manager?: string
  /** Only for this kind, written `Deployment` or `Deployment.apps`. */
  readonly kind?: string
  /** `ours` takes the field over, `theirs` leaves it out of what we apply. */
  readonly take: 'ours' | 'theirs'
}

/** What to do about conflicts: refuse, take every field over, or decide by the first rule that matches. */
export type ConflictPolicy = 'fail' | 'force' | readonly ConflictRule[]

/** How a policy decided. */
export interface ConflictVerdict {
  readonly ours: readonly FieldConflict[]
  readonly theirs: readonly FieldConflict[]
  readonly undecided: readonly FieldConflict[]
}

/**
 * The conflicts behind a refused apply. Only the paths come from the refusal; who owns them is read from the live
 * object's managedFields, never from the text of a message.
 */
export function findConflicts(
  desired: KubeObject,
  live: KubeObject,
  paths: readonly string[],
  fieldManager: string,
  mask: Mask = createMask(),
): FieldConflict[] {
  const others = (live.metadata.managedFields ?? []).filter((entry) => !isOwnApply(entry, fieldManager))
  const owned = others.map((entry) => ({ entry, at: pathsByText(entry) }))
  return [...new Set(paths)].flatMap((path) => {
    const owners = owned.filter(({ at }) => at.has(path)).map(({ entry }) => entry)
    const at = owned.find((owner) => owner.at.has(path))?.at.get(path) ?? findPath(desired, path)
    const show = isSecretKind(desired) && isSecretPath(path) ? mask : (value: unknown) => value
    const values = {
      path,
      ours: at === undefined ? undefined : show(valueAt(desired, at)),
      theirs: at === undefined ? undefined : show(valueAt(live, at)),
    }
    // An owner that wrote in another version of the kind may know the field under another path.
    const inOtherVersion = others.filter((entry) => entry.apiVersion !== desired.apiVersion)
    const named = owners.length > 0 ? owners : inOtherVersion.length === 1 ? inOtherVersion : [{}]
    return named.map((entry) => ({ ...ownerOf(entry), ...values }))
  })
}

/** Decides every conflict; with rules the first that matches wins, and one that none matches stays undecided. */
export function decideConflicts(
  conflicts: readonly FieldConflict[],
  policy: ConflictPolicy,
  ref: ObjectRef,
): ConflictVerdict {
  const verdict = { ours: [] as FieldConflict[], theirs: [] as FieldConflict[], undecided: [] as FieldConflict[] }
  for (const conflict of conflicts) verdict[decide(conflict, policy, ref)].push(conflict)
  // One path can have several owners: left to one of them, it conflicts with none.
  const kept = new Set(verdict.theirs.map(({ path }) => path))
  const others = ({ path }: FieldConflict): boolean => !kept.has(path)
  return { theirs: verdict.theirs, ours: verdict.ours.filter(others), undecided: verdict.undecided.filter(others) }
}

/** The object without the fields that were left to others. */
export function withoutFields(desired: KubeObject, conflicts: readonly FieldConflict[]): KubeObject {
  return conflicts.reduce((object, { path }) => {
    const at = findPath(object, path)
    return at === undefined ? object : withoutPath(object, at)
  }, desired)
}

/** The error that carries conflicts as data. */
export function conflictError(ref: ObjectRef, conflicts: readonly FieldConflict[], cause: unknown): LadingError {
  const named = conflicts.map(({ path, manager }) => `${path} (${manager})`).join(', ')
  const message = `${formatRef(ref)}: other managers own ${named}`
  return new LadingError('kube.field-conflict', message, { ...ref, conflicts }, { cause })
}

/** Whether a text fits a pattern in which `*` stands for any run of characters. */
export function matchesPattern(text: string, pattern: string): boolean {
  const parts = pattern.split('*')
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  if (parts.length === 1) return text === pattern
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  let from = first.length
  const end = text.length - last.length
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from)
    if (at < 0 || at + part.length > end) return false
    from = at + part.length
  }
  return true
}

function decide(conflict: FieldConflict, policy: ConflictPolicy, ref: ObjectRef): keyof ConflictVerdict {
  if (policy === 'fail') return 'undecided'
  if (policy === 'force') return 'ours'
  const rule = policy.find(
    ({ path, manager = '*', kind }) =>
      matchesPattern(conflict.path, path.startsWith('.') ? path : `.${path}`) &&
      matchesPattern(conflict.manager, manager) &&
      (kind === undefined || kind === ref.kind || kind === `${ref.kind}.${ref.group}`),
  )
  return rule?.take ?? 'undecided'
}

function pathsByText(entry: ManagedFieldsEntry): Map<string, FieldPath> {
  return new Map(ownedPaths(entry.fieldsV1 ?? {}).map((path) => [formatFieldPath(path), path]))
}

function ownerOf(entry: ManagedFieldsEntry): Omit<FieldConflict, 'path' | 'ours' | 'theirs'> {
  const { manager = 'unknown', operation, subresource, apiVersion } = entry
  return {
    manager,
    operation,
    ...(subresource !== undefined && subresource !== '' && { subresource }),
    apiVersion,
  }
}

function isSecretPath(path: string): boolean {
  const annotations = wholeObjectAnnotations.map((name) => `.metadata.annotations.${name}`)
  return ['.data', '.stringData', ...annotations].some((secret) => path === secret || path.startsWith(`${secret}.`))
}
