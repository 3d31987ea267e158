import { decodeText } from '../../../core/yaml/index.ts'
import { LadingError, parseJson } from '../../../core/index.ts'
import { isTable, type Values } from '../values/values.ts'
import type { WorkingChart } from '../values/working-chart.ts'
import { Evaluation } from './evaluate.ts'
import { joined } from './frame.ts'
import { Patterns } from './patterns.ts'
import { schemaDocument } from './schema-document.ts'
import { writeProblems } from './schema-problem.ts'

/** Holds values against values.schema.json of a chart and of each subchart; what does not fit ends it, in Helm's words. */
export function validateValues(chart: WorkingChart, values: Values, warn: (message: string) => void): void {
  const problems = problemsOf(chart, values, warn)
  if (problems === '') return
  const problem = `values don't meet the specifications of the schema(s) in the following chart(s):\n${problems}`
  throw new LadingError('values.invalid', problem, { chart: chart.name })
}

function problemsOf(chart: WorkingChart, values: Values, warn: (message: string) => void): string {
  const { schema } = chart.chart
  const own = schema === undefined ? '' : schemaProblems(values, schema, warn)
  const below = chart.dependencies.map((subchart) => {
    const given = values[subchart.name]
    if (given === undefined || given === null) return ''
    if (isTable(given)) return problemsOf(subchart, given, warn)
    return `${subchart.name}:\ninvalid type for values: expected object (map)\n`
  })
  return (own === '' ? '' : `${chart.name}:\n${own}\n`) + below.join('')
}

function schemaProblems(values: Values, schema: Uint8Array, warn: (message: string) => void): string {
  const document = schemaDocument(readSchema(schema), warn)
  const { problems } = new Evaluation(document, new Patterns()).run(document.root, values, [])
  const problem = joined(problems, [])
  return problem === undefined ? '' : writeProblems(problem)
}

function readSchema(bytes: Uint8Array): unknown {
  try {
    return parseJson(decodeText(bytes, 'values.schema.json'))
  } catch (error) {
    throw new LadingError(
      'schema.invalid',
      'values.schema.json is no JSON',
      { file: 'values.schema.json' },
      { cause: error },
    )
  }
}
