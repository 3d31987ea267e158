import type { Chart, ChartFile } from './chart/chart.ts'
import { writeMetadata } from './package/write-metadata.ts'

/** What a chart says about itself. */
export interface ShownChart {
  /** Chart.yaml, its fields sorted. */
  readonly chart: string
  /** values.yaml with its comments. */
  readonly values: string | undefined
  readonly readme: string | undefined
  /** The files of crds/, those of subcharts included. */
  readonly crds: readonly string[]
}

/** Reads what `helm show` shows. */
export function showChart(chart: Chart): ShownChart {
  const values = chart.raw.find(({ name }) => name === 'values.yaml')
  const readme = chart.files.find(({ name }) => /^readme(?:\.md|\.txt)?$/i.test(name))
  return {
    chart: writeMetadata(chart.metadata),
    values: values === undefined ? undefined : textOf(values),
    readme: readme === undefined ? undefined : textOf(readme),
    crds: crdsOf(chart).map(textOf),
  }
}

function crdsOf(chart: Chart): ChartFile[] {
  const own = chart.files.filter(({ name }) => name.startsWith('crds/') && /\.(?:yaml|yml|json)$/i.test(name))
  return [...own, ...chart.dependencies.flatMap(crdsOf)]
}

function textOf({ data }: ChartFile): string {
  return Buffer.from(data).toString('utf8')
}
