import { formatRef, type KubeObject, oneLine } from '../../core/index.ts'
import type { FieldChange, Plan, PlanAction, PlanActionType } from '../../release/index.ts'
import { type Colour, paint } from './colour.ts'
import type { Io } from '../io.ts'
import type { OutputFormat } from '../options/options.ts'
import { printDocument } from './print-data.ts'
import type { Paint } from './print-events.ts'
import { paragraph } from './print-line.ts'

/** How a plan is printed for a person; JSON and YAML have everything anyway. */
export interface PlanFlags {
  /** With the fields of the objects that are created. */
  readonly showCreates?: boolean
}

/** Prints a plan; one that cannot be carried out then fails with what stands in its way. */
export async function printPlan(
  io: Io,
  format: OutputFormat,
  plan: Plan,
  { showCreates = false }: PlanFlags = {},
): Promise<void> {
  const { changeLines, maskPlan, refusePlan } = await import('../../release/index.ts')
  await printDocument(io, format, maskPlan(plan), async () => {
    const { writeYaml } = await import('../../core/yaml/index.ts')
    const colour = paint(io.stdout, io.env)
    const fields = (changes: readonly FieldChange[]) => changeLines(changes, { colour, maxLength: 200 })
    return planText(plan, colour, fields, showCreates ? writeYaml : undefined)
  })
  refusePlan(plan)
}

/** A plan for a person: what happens to which object, in which waves, with which hooks. */
function planText(plan: Plan, colour: Paint, fields: Fields, write?: Write): string {
  const waves = plan.waves.filter(({ objects }) => objects.length > 0)
  const lines = [
    colour(oneLine(headline(plan)), 'bold'),
    ...plan.actions.flatMap((action) => actionLines(action, colour, fields, write)),
    ...(waves.length < 2 ? [] : ['waves:', ...waves.map((wave, index) => waveLine(wave, index))]),
    ...(plan.hooks.length === 0 ? [] : ['hooks:', ...plan.hooks.flatMap((hook) => hookLines(hook, colour, write))]),
  ]
  return `${lines.join('\n')}\n`
}

/** How many objects of a plan meet each fate. */
export function countActions(actions: readonly PlanAction[]): Partial<Record<PlanActionType, number>> {
  const counts: Partial<Record<PlanActionType, number>> = {}
  for (const { action } of actions) counts[action] = (counts[action] ?? 0) + 1
  return counts
}

function headline({ operation, release, revision, previous, target, actions }: Plan): string {
  const name = `${release.namespace}/${release.name}`
  const to = revision > previous ? ` as revision ${revision}` : operation === 'uninstall' ? '' : ', nothing to do'
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

type Write = (object: KubeObject) => string
type Fields = (changes: readonly FieldChange[]) => string[]

function actionLines(
  { ref, action, changes = [], conflicts = [], reason, object }: PlanAction,
  colour: Paint,
  fields: Fields,
  write: Write | undefined,
): string[] {
  const [sign, tone] = signs[action]
  const why = reason === undefined ? '' : `: ${reason}`
  return [
    ...paragraph(`  ${colour(`${sign} ${action}`, tone)} ${formatRef(ref)}${why}`),
    ...fields(changes),
    ...(object === undefined || write === undefined ? [] : objectLines(write(object), colour)),
    ...conflicts.map(({ path, manager }) => colour(oneLine(`    ! ${path} belongs to ${manager}`), 'red')),
  ]
}

function objectLines(text: string, colour: Paint): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => colour(`    + ${line}`, 'green'))
}

function waveLine({ order, objects }: Plan['waves'][number], index: number): string {
  return `  ${index + 1}. wave ${order}: ${objects.map((ref) => formatRef(ref)).join(', ')}`
}

function hookLines(
  { phase, ref, weight, problem, replaces, object }: Plan['hooks'][number],
  colour: Paint,
  write: Write | undefined,
): string[] {
  return [
    `  ${phase} ${formatRef(ref)} (weight ${weight})${replaces === undefined ? '' : `, replaces ${oneLine(replaces)}`}`,
    ...(object === undefined || write === undefined ? [] : objectLines(write(object), colour)),
    ...(problem === undefined ? [] : [colour(oneLine(`    ! ${problem}`), 'red')]),
  ]
}
