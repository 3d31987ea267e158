import { readFile } from 'node:fs/promises'
import { defined, LadingError } from '../../../core/index.ts'
import type { TreeCache } from '../../gotemplate/index.ts'
import { defaultCapabilities } from '../objects/capabilities.ts'
import { readChartArchive } from '../archive/read-chart-archive.ts'
import { readChartFolder } from '../chart/read-chart-folder.ts'
import { renderChart, type RenderOptions } from '../render-chart.ts'
import { mergeValues } from '../values/merge-values.ts'
import { readValues } from '../values/read-values.ts'
import { newValues } from '../values/values.ts'
import { writeTemplate, type WriteOptions } from '../write-template.ts'
import type { Outcome } from './compare-output.ts'

/** How a chart is rendered in a comparison. */
export interface LadingRun extends WriteOptions, Pick<RenderOptions, 'isUpgrade' | 'strict' | 'subchartNotes'> {
  readonly valuesFiles?: readonly string[]
  readonly kubeVersion?: string
  readonly apiVersions?: readonly string[]
  readonly namespace?: string
  readonly releaseName?: string
  readonly cache?: TreeCache
}

/** Renders a chart's folder or archive as the command line would. */
export async function runLading(path: string, run: LadingRun = {}): Promise<Outcome> {
  try {
    let values = newValues()
    for (const file of run.valuesFiles ?? []) values = mergeValues(values, readValues(await readFile(file), file))
    const chart = path.endsWith('.tgz')
      ? readChartArchive(await readFile(path))
      : await readChartFolder(path)
    const rendered = renderChart(chart, { ...renderOptions(run), values })
    return { text: writeTemplate(rendered, run) }
  } catch (error) {
    if (error instanceof LadingError) return { error: error.message }
    throw error
  }
}

function renderOptions(run: LadingRun): RenderOptions {
  const { kubeVersion, apiVersions, isUpgrade, strict, subchartNotes, cache } = run
  return {
    release: { name: run.releaseName ?? 'release-name', namespace: run.namespace ?? 'default' },
    capabilities: defaultCapabilities({
      ...defined({ kubeVersion, apiVersions }),
    }),
    ...defined({ isUpgrade, strict, subchartNotes, cache }),
  }
}
