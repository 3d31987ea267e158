import { isLadingError } from '../../../core/index.ts'
import { type Job, needsDeeperStack } from '../../stoppable/index.ts'
import type { Chart } from '../chart/chart.ts'
import { chartTemplates } from '../engine/chart-templates.ts'
import { renderTemplates } from '../engine/render-templates.ts'
import { functionEnvironment } from '../functions/environment.ts'
import { functionTable } from '../functions/function-table.ts'
import { type Capabilities, capabilitiesObject } from '../objects/capabilities.ts'
import { validateValues } from '../schema/validate-values.ts'
import { type Prepared, prepareValues } from '../values/prepare-values.ts'
import type { Values } from '../values/values.ts'

/** What a chart is rendered from to be looked at. */
export interface LintInputs {
  readonly chart: Chart
  readonly values: Values
  readonly capabilities: Capabilities
  readonly namespace: string
  readonly skipSchemaValidation: boolean
}

/** Renders the templates for the linter: texts by template, the sentence they failed with, or nothing for values that do not fit. */
export const lintJob: Job<LintInputs, ReadonlyMap<string, string> | string | undefined> = {
  module: import.meta.url,
  name: 'lintJob',
  prepare: (input) =>
    Promise.resolve(() => {
      const prepared = tried(() => prepareValues(input.chart, input.values, () => undefined))
      return typeof prepared === 'string' ? undefined : tried(() => render(prepared, input))
    }),
}

function render({ working, values }: Prepared, input: LintInputs): Map<string, string> {
  if (!input.skipSchemaValidation) validateValues(working, values, () => undefined)
  const environment = functionEnvironment({ lint: true })
  const functions = functionTable(environment)
  const templates = chartTemplates(working, values, {
    release: { name: 'test-release', namespace: input.namespace, revision: 0, isUpgrade: false },
    capabilities: capabilitiesObject(input.capabilities),
    toYaml: (value) => functions['toYaml']!.call([value]) as string,
  })
  return renderTemplates(templates, { environment, functions, strict: false })
}

function tried<Result>(work: () => Result): Result | string {
  try {
    return work()
  } catch (error) {
    if (isLadingError(error) && !needsDeeperStack(error)) return error.message
    throw error
  }
}
