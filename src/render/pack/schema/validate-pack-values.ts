import { isLadingError, LadingError, stringifyJson } from '../../../core/index.ts'
import { loadChart } from '../../helm/chart/load-chart.ts'
import { validateValues } from '../../helm/schema/validate-values.ts'
import { toValues } from '../../helm/values/values.ts'
import { workingChart } from '../../helm/values/working-chart.ts'
import type { Pack } from '../pack.ts'

/** Holds values to the schema of a pack, by the evaluator that charts use: no remote references, bounded recursion. */
export function validatePackValues({ metadata, schema }: Pack, values: Readonly<Record<string, unknown>>): void {
  if (schema === undefined) return
  const files = new Map([
    ['Chart.yaml', Buffer.from(`apiVersion: v2\nname: ${stringifyJson(metadata.name)}\nversion: 0.0.1\n`)],
    ['values.schema.json', Buffer.from(stringifyJson(schema))],
  ])
  try {
    validateValues(workingChart(loadChart(files)), toValues(values), () => undefined)
  } catch (error) {
    if (!isLadingError(error)) throw error
    const problem = error.message.replace('in the following chart(s)', 'in the pack')
    throw new LadingError(error.code, problem, { pack: metadata.name }, { cause: error })
  }
}
