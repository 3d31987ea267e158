import { defined, oneLine } from '../../core/index.ts'
import { changeLines, type FieldChange, type Plan, type PlanAction } from '../../release/index.ts'

/** One field of an object that changes; values of Secrets are masked. */
export interface ChangeEntry {
  readonly path: string
  readonly original?: unknown
  readonly applied?: unknown
  readonly type: 'added' | 'removed' | 'changed'
}

/** What becomes of one object. */
export interface ObjectChange {
  readonly group: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
  readonly op: 'create' | 'update' | 'replace' | 'delete' | 'none' | 'refused'
  readonly entries: readonly ChangeEntry[]
  readonly reason?: string
}

const ops: Readonly<Record<PlanAction['action'], ObjectChange['op']>> = {
  create: 'create',
  update: 'update',
  replace: 'replace',
  delete: 'delete',
  unchanged: 'none',
  keep: 'none',
  later: 'create',
  conflict: 'refused',
  invalid: 'refused',
}

/** A plan as a list of changes, an entry for each object. */
export function changesOf(plan: Plan): ObjectChange[] {
  return plan.actions.map(({ ref, action, changes = [], reason }) => ({
    group: ref.group,
    kind: ref.kind,
    ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }),
    name: ref.name,
    op: ops[action],
    entries: changes.map(({ path, before, after }) => ({
      path,
      ...defined({ original: before, applied: after }),
      type: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
    })),
    ...(reason === undefined ? {} : { reason }),
  }))
}

/** The changes as people read them; what stays as it is is only counted. */
export function formatChanges(changes: readonly ObjectChange[]): string {
  const lines: string[] = []
  for (const change of changes.filter(({ op }) => op !== 'none')) {
    const where = change.namespace === undefined ? change.name : `${change.namespace}/${change.name}`
    const reason = change.reason === undefined ? '' : `: ${change.reason}`
    lines.push(oneLine(`${signs[change.op]} ${change.op} ${change.kind} ${where}${reason}`))
    lines.push(...changeLines(change.entries.map(fieldOf)))
  }
  const unchanged = changes.filter(({ op }) => op === 'none').length
  const counts = [`${changes.length - unchanged} to change`, `${unchanged} unchanged`]
  return `${[...lines, counts.join(', ')].join('\n')}\n`
}

const signs: Readonly<Record<ObjectChange['op'], string>> = {
  create: '+',
  update: '~',
  replace: '!',
  delete: '-',
  none: ' ',
  refused: 'x',
}

function fieldOf({ path, original, applied }: ChangeEntry): FieldChange {
  return { path, before: original, after: applied }
}
