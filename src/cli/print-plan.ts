import { formatRef } from '../core/index.ts'
import type { Plan, PlanAction, PlanActionType } from '../release/index.ts'
import { type Colour, paint } from './colour.ts'
import type { Io } from './io.ts'
import type { OutputFormat } from './options.ts'
import { changeLines } from './print-changes.ts'
import { printDocument } from './print-data.ts'
import type { Paint } from './print-events.ts'

/** Prints a plan; one that cannot be carried out then fails with what stands in its way. */
export async function printPlan(io: Io, format: OutputFormat, plan: Plan): Promise<void> {
  await printDocument(io, format, plan, () => planText(plan, paint(io.stdout, io.env)))
  const { refusePlan } = await import('../release/index.ts')
  refusePlan(plan)
}

/** A plan for a person: what happens to which object, in which waves, with which hooks. */
function planText(plan: Plan, colour: Paint): string {
  const waves = plan.waves.filter(({ objects }) => objects.length > 0)
  const lines = [
    colour(headline(plan), 'bold'),
    ...plan.actions.flatMap((action) => actionLines(action, colour)),
    ...(waves.length < 2 ? [] : ['waves:', ...waves.map((wave, index) => waveLine(wave, index))]),
    ...(plan.hooks.length === 0 ? [] : ['hooks:', ...plan.hooks.map((hook) => hookLine(hook, colour))]),
  ]
  return `${lines.join('\n')}\n`
}

/** How many objects of a plan meet each fate. */
export function countActions(actions: readonly PlanAction[]): Partial<Record<PlanActionType, number>> {
  const counts: Partial<Record<PlanActionType, number>> = {}
  for (const { action } of actions) counts[action] = (counts[action] ?? 0) + 1
  return counts
}

function headline({ operation, release, revision, target, actions }: Plan): string {
  const name = `${release.namespace}/${release.name}`
  const to = operation === 'uninstall' ? '' : ` as revision ${revision}`
  const back = target === undefined ? '' : ` to what it was at revision ${target}`
  const counts = Object.entries(countActions(actions)).map(([action, count]) => `${count} ${action}`)
  return `${operation} ${name}${back}${to}: ${counts.length === 0 ? 'no objects' : counts.join(', ')}`
}

const signs: Readonly<Record<PlanActionType, [sign: string, colour: Colour]>> = {
  create: ['+', 'green'],
  update: ['~', 'yellow'],
  replace: ['±', 'yellow'],
  delete: ['-', 'red'],
  unchanged: ['=', 'dim'],
  conflict: ['!', 'red'],
  keep: ['=', 'dim'],
  later: ['?', 'cyan'],
  invalid: ['!', 'red'],
}

function actionLines({ ref, action, changes = [], conflicts = [], reason }: PlanAction, colour: Paint): string[] {
  const [sign, tone] = signs[action]
  const why = reason === undefined ? '' : `: ${reason}`
  return [
    `  ${colour(`${sign} ${action}`, tone)} ${formatRef(ref)}${why}`,
    ...changeLines(changes, colour),
    ...conflicts.map(({ path, manager }) => colour(`    ! ${path} belongs to ${manager}`, 'red')),
  ]
}

function waveLine({ order, objects }: Plan['waves'][number], index: number): string {
  return `  ${index + 1}. wave ${order}: ${objects.map((ref) => formatRef(ref)).join(', ')}`
}

function hookLine({ phase, ref, weight, problem }: Plan['hooks'][number], colour: Paint): string {
  const line = `  ${phase} ${formatRef(ref)} (weight ${weight})`
  return problem === undefined ? line : `${line}\n${colour(`    ! ${problem}`, 'red')}`
}
