import { isLadingError } from '../../../core/index.ts'
import type { Chart } from '../chart/chart.ts'
import { loadChart } from '../chart/load-chart.ts'
import { validateValues } from '../schema/validate-values.ts'
import { mergeValues } from '../values/merge-values.ts'
import { readValues } from '../values/read-values.ts'
import type { Values } from '../values/values.ts'
import { workingChart } from '../values/working-chart.ts'
import type { Report } from './lint-chart.ts'
import type { LintInput } from './lint-input.ts'

/** Reads values.yaml and holds it, with what is given, to the chart's own schema; subcharts have no part in this. */
export async function lintValues(input: LintInput, given: Values, skipSchema: boolean, report: Report): Promise<void> {
  const data = await input.read('values.yaml')
  if (data === undefined) return report('info', 'values.yaml', 'file does not exist')
  let own: Values
  try {
    own = readValues(data)
  } catch (error) {
    if (!isLadingError(error)) throw error
    return report('error', 'values.yaml', `unable to parse YAML: ${error.message}`)
  }
  const schema = await input.read('values.schema.json')
  if (schema === undefined || schema.byteLength === 0 || skipSchema) return
  try {
    validateValues(workingChart(chartWith(schema)), mergeValues(own, given), () => undefined)
  } catch (error) {
    if (!isLadingError(error)) throw error
    report('error', 'values.yaml', error.message)
  }
}

function chartWith(schema: Uint8Array): Chart {
  const chartYaml = Buffer.from('apiVersion: v2\nname: values.schema.json\nversion: 0.0.1\n')
  return loadChart(
    new Map([
      ['Chart.yaml', chartYaml],
      ['values.schema.json', schema],
    ]),
  )
}
