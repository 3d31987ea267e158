import { decodeText } from '../../../core/yaml/index.ts'
import { isLadingError, LadingError, parseJson } from '../../../core/index.ts'
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
  if (problems !== '') throw new LadingError('values.invalid', unmet(problems), { chart: chart.name })
}

function unmet(problems: string): string {
  return `values don't meet the specifications of the schema(s) in the following chart(s):\n${problems}`
}

function problemsOf(chart: WorkingChart, values: Values, warn: (message: string) => void): string {
  const { schema } = chart.chart
  const own = schema === undefined ? '' : ownProblems(chart.name, values, schema, warn)
  const below = chart.dependencies.map((subchart) => {
    const given = values[subchart.name]
    if (given === undefined || given === null) return ''
    if (isTable(given)) return problemsOf(subchart, given, warn)
    return `${subchart.name}:\ninvalid type for values: expected object (map)\n`
  })
  return (own === '' ? '' : `${chart.name}:\n${own}\n`) + below.join('')
}

// A schema that cannot be used is told in the same words, but stays what it is: refused, or invalid.
function ownProblems(chart: string, values: Values, schema: Uint8Array, warn: (message: string) => void): string {
  try {
    return schemaProblems(values, schema, warn)
  } catch (error) {
    if (!isLadingError(error)) throw error
    throw new LadingError(
      error.code,
      unmet(`${chart}:\n${error.message}`),
      { ...error.details, chart },
      { cause: error },
    )
  }
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
