import { fromBytes } from '../../gotemplate/index.ts'
import { GoInt, type GoMap, type GoObject, goType, type GoValue } from '../../gotemplate/value.ts'
import { chartObject } from '../objects/chart-object.ts'
import { Files } from '../objects/files.ts'
import { valuesObject } from '../objects/values-object.ts'
import { isTable, newValues, type Values } from '../values/values.ts'
import { fullPath, type WorkingChart } from '../values/working-chart.ts'

/** One template and what it sees as `.`, which it shares with the others of its chart. */
export interface ChartTemplate {
  readonly text: string
  readonly basePath: string
  readonly scope: GoMap
}

/** What `.Release` says. */
export interface ReleaseFacts {
  readonly name: string
  readonly namespace: string
  readonly revision: number
  readonly isUpgrade: boolean
}

/** What all charts of a rendering see alike. */
export interface Surroundings {
  readonly release: ReleaseFacts
  readonly capabilities: GoObject
  readonly toYaml: (value: GoValue) => string
}

/** The templates of a chart and its subcharts by their paths, each with the values of its chart. */
export function chartTemplates(chart: WorkingChart, values: Values, around: Surroundings): Map<string, ChartTemplate> {
  const templates = new Map<string, ChartTemplate>()
  addTemplates(chart, values, releaseObject(around.release), around, templates)
  return templates
}

function addTemplates(
  chart: WorkingChart,
  values: Values,
  release: GoMap,
  around: Surroundings,
  templates: Map<string, ChartTemplate>,
): GoMap {
  const subcharts = newValues()
  const scope = newValues()
  // A map of this type to templates; to those that find it in `.Subcharts` Go would show a plain one.
  Object.defineProperty(scope, goType, { value: 'common.Values' })
  scope['Chart'] = chartObject(chart)
  scope['Files'] = new Files(chart.chart.files, around.toYaml)
  scope['Release'] = release
  scope['Capabilities'] = around.capabilities
  scope['Values'] = valuesObject(values, chart.parent !== undefined, around.toYaml)
  scope['Subcharts'] = subcharts
  for (const child of chart.dependencies) {
    const below = values[child.name]
    subcharts[child.name] = addTemplates(child, isTable(below) ? below : newValues(), release, around, templates)
  }
  const path = fullPath(chart)
  for (const { name, data } of chart.chart.templates) {
    if (isUsable(chart, name)) {
      templates.set(`${path}/${name}`, { text: fromBytes(data), basePath: `${path}/templates`, scope })
    }
  }
  return scope
}

// Of a library chart only partials count.
function isUsable(chart: WorkingChart, name: string): boolean {
  return chart.metadata.type.toLowerCase() !== 'library' || name.startsWith('_', name.lastIndexOf('/') + 1)
}

function releaseObject({ name, namespace, revision, isUpgrade }: ReleaseFacts): GoMap {
  const release = newValues()
  release['Name'] = name
  release['Namespace'] = namespace
  release['IsUpgrade'] = isUpgrade
  release['IsInstall'] = !isUpgrade
  release['Revision'] = new GoInt(revision)
  release['Service'] = 'Helm'
  return release
}
