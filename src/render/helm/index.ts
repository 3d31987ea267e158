/**
 * Reads, renders and packages Helm charts without the helm binary, and reads chart repositories.
 *
 * @module
 */
export { chartArchiveFiles, readChartArchive } from './archive/read-chart-archive.ts'
export type { Chart, ChartFile, ChartLock, ChartMetadata, Dependency, Maintainer } from './chart/chart.ts'
export type { ChartLimits } from './chart/chart-limits.ts'
export { type ChartFiles, loadChart } from './chart/load-chart.ts'
export { readChartFolder, type ReadFolderOptions } from './chart/read-chart-folder.ts'
export type { FunctionEnvironment, FunctionLimits } from './functions/environment.ts'
export { helmEngine } from './helm-engine.ts'
export { inflateRequest } from './inflate-request.ts'
export type { ChartHook, ChartHookEvent } from './manifests/chart-hook.ts'
export { type Capabilities, defaultCapabilities } from './objects/capabilities.ts'
export { renderChart, type RenderedChart, type RenderOptions } from './render-chart.ts'
export { newestVersion } from './semver/newest-version.ts'
export { mergeValues } from './values/merge-values.ts'
export { readValues } from './values/read-values.ts'
export { toValues, type Values } from './values/values.ts'
export { templateFiles, writeTemplate, type WriteOptions } from './write-template.ts'
export { type DependencyStatus, listDependencies } from './dependency/list-dependencies.ts'
export {
  buildDependencies,
  type DependencyOptions,
  type DependencyOutcome,
  updateDependencies,
} from './dependency/update-dependencies.ts'
export { packageChart, type PackagedChart, type PackageOptions } from './package/package-chart.ts'
export { signChart, type SignChartOptions } from './provenance/sign-chart.ts'
export { type VerifiedProvenance, verifyProvenance } from './provenance/verify-provenance.ts'
export type { Fetch, FetchOptions, FetchTls } from './repository/fetch.ts'
export { type HelmHome, helmHome } from './repository/helm-home.ts'
export { openRepositories, type Repositories, type UpdateOutcome } from './repository/open-repositories.ts'
export type { RepositoryEntry } from './repository/repositories-file.ts'
export {
  type ChartAccess,
  type ChartRegistry,
  type FetchedChart,
  resolveChart,
  type ResolvedChart,
  type ResolveOptions,
} from './repository/resolve-chart.ts'
export { type FoundChart, searchCharts, type SearchOptions } from './repository/search-charts.ts'
export { writeAtomically } from './repository/write-atomically.ts'
export { lintChart, type LintMessage, type LintOptions, type LintSeverity } from './lint/lint-chart.ts'
export { showChart, type ShownChart } from './show-chart.ts'
export type { SavedDependency } from './dependency/fetch-dependencies.ts'
export type { VersionChoice } from './repository/choose-entry.ts'
export type { RepositoryIndex } from './repository/index-file.ts'
export type { PrintedChart } from './write-template.ts'
export type { IndexEntry } from './repository/index-file.ts'
