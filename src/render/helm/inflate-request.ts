import { LadingError } from '../../core/index.ts'
import type { InflateChart } from '../kustomize/index.ts'
import { loadChart } from './chart/load-chart.ts'
import { readIgnoreRules } from './chart/helmignore.ts'
import { defaultCapabilities } from './objects/capabilities.ts'
import { renderChart, type RenderOptions } from './render-chart.ts'
import { mergeValues } from './values/merge-values.ts'
import { readValues } from './values/read-values.ts'
import { newValues } from './values/values.ts'
import { writeTemplate } from './write-template.ts'

/**
 * Renders a chart that a kustomization asks for, as kustomize has `helm template` do it. Where the entry gives no release
 * name, helm makes one of the time; here it is the chart's, so that a build gives the same each time.
 * Random values and the time are those of the environment.
 */
export function inflateRequest(
  request: Parameters<InflateChart>[0],
  environment: NonNullable<RenderOptions['environment']> = {},
): string {
  const chart = loadChart(withoutIgnored(request.files))
  let values = newValues()
  for (const text of request.values) values = mergeValues(values, readValues(text, `values of ${request.name}`))
  const { kubeVersion, apiVersions, namespace, includeCRDs, skipHooks, skipTests } = request
  const rendered = renderChart(chart, {
    values,
    release: { name: releaseName(request), ...(namespace === '' ? {} : { namespace }) },
    capabilities: defaultCapabilities({ ...(kubeVersion === '' ? {} : { kubeVersion }), apiVersions }),
    environment,
  })
  return writeTemplate(rendered, { includeCrds: includeCRDs, skipHooks, skipTests })
}

function releaseName({ name, releaseName: given, nameTemplate }: Parameters<InflateChart>[0]): string {
  if (nameTemplate === '') return given === '' ? name : given
  if (given !== '') {
    const problem = `helmCharts: give ${name} either releaseName or nameTemplate`
    throw new LadingError('kustomize.invalid', problem, { field: 'helmCharts' })
  }
  if (!nameTemplate.includes('{{')) return nameTemplate
  const problem = `helmCharts: nameTemplate of ${name} is a template, which gives another name each time; write the name out`
  throw new LadingError('kustomize.refused', problem, { field: 'helmCharts' })
}

function withoutIgnored(files: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, Uint8Array> {
  const own = files.get('.helmignore')
  const ignored = readIgnoreRules(own === undefined ? '' : Buffer.from(own).toString('utf8'))
  return new Map([...files].filter(([name]) => !isIgnored(name, ignored)))
}

// What lies in a folder that is left out is left out with it.
function isIgnored(name: string, ignored: ReturnType<typeof readIgnoreRules>): boolean {
  const parts = name.split('/')
  return parts.some((_, index) => ignored(parts.slice(0, index + 1).join('/'), index < parts.length - 1))
}
