export { chartAccess, type ChartAccessOptions } from './chart-access.ts'
export { fetchChart, type FetchChartOptions } from './fetch-chart.ts'
export { openChart, type OpenChartOptions } from './open-chart.ts'
export { isChart, packChartSource, type PackChartSourceOptions, type PackedChart } from './pack-chart-source.ts'
export { packageChartFolder, type PackagedFile, type PackageFolderOptions } from './package-chart-folder.ts'
export {
  chartFiles,
  type ChartFilesOptions,
  pullChart,
  type PullChartOptions,
  type Pulled,
  type PulledChart,
} from './pull-chart.ts'
export { pushChart, type PushedArtifact, type PushOptions, pushPacked } from './push-chart.ts'
export { clusterCrds, readCrds, type ReadCrdsOptions } from './read-crds.ts'
export { readKeyring } from './read-keyring.ts'
export { verifyChart } from './verify-chart.ts'
