import { defined, isLadingError } from '../../../core/index.ts'
import { compareText, type Limits, TemplateSet, type TreeCache } from '../../gotemplate/index.ts'
import { type GoFunction, type GoMap, goType } from '../../gotemplate/value.ts'
import type { FunctionEnvironment } from '../functions/environment.ts'
import { isPartial } from '../manifests/sort-manifests.ts'
import type { ChartTemplate } from './chart-templates.ts'
import { chartFunctions } from './chart-functions.ts'
import { executionError, parseError } from './template-error.ts'

/** How templates are executed. */
export interface EngineOptions {
  readonly environment: FunctionEnvironment
  /** Functions besides those that need the set of templates. */
  readonly functions: Readonly<Record<string, GoFunction>>
  /** A key that a map does not have is an error. */
  readonly strict: boolean
  readonly limits?: Limits
  readonly cache?: TreeCache
}

/** Executes the templates of a chart and its subcharts; what each gives, by its path. */
export function renderTemplates(
  templates: ReadonlyMap<string, ChartTemplate>,
  options: EngineOptions,
): Map<string, string> {
  const set = newSet(options)
  // Deeper ones first: of two definitions of one name the later wins, and that is the parent chart's.
  const paths = [...templates.keys()].sort(byDepth).toReversed()
  for (const path of paths) parse(set, path, templates.get(path)!.text)
  const rendered = new Map<string, string>()
  for (const path of paths) {
    if (!isPartial(path)) rendered.set(path, execute(set, path, templates.get(path)!))
  }
  return rendered
}

function newSet({ environment, functions, strict, limits, cache }: EngineOptions): TemplateSet {
  const missingKey = strict ? 'error' : 'zero'
  const own = chartFunctions(environment, () => set)
  const set: TemplateSet = new TemplateSet({
    functions: { ...functions, ...own },
    missingKey,
    name: 'gotpl',
    ...defined({ limits, cache }),
  })
  return set
}

function parse(set: TemplateSet, path: string, text: string): void {
  try {
    set.parse(path, text)
  } catch (error) {
    throw isLadingError(error, 'template.syntax') ? parseError(path, error) : error
  }
}

function execute(set: TemplateSet, path: string, { text: _, basePath, scope }: ChartTemplate): string {
  const template = Object.create(null) as GoMap
  template['Name'] = path
  template['BasePath'] = basePath
  Object.defineProperty(template, goType, { value: 'common.Values' })
  scope['Template'] = template
  try {
    return set.execute(path, scope).replaceAll('<no value>', '')
  } catch (error) {
    throw isLadingError(error, 'template.failed') ? executionError(path, error) : error
  }
}

function byDepth(a: string, b: string): number {
  return depth(a) - depth(b) || compareText(a, b)
}

function depth(path: string): number {
  return path.split('/').length
}
