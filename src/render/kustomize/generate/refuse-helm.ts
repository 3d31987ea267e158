import { LadingError } from '../../../core/index.ts'

/** The refusal of Helm charts. */
export function refuseHelm(isEnabled: boolean): LadingError {
  const problem = isEnabled
    ? 'helmCharts: charts are not inflated yet; render the chart on its own and list what it gives under resources'
    : 'helmCharts: charts are only inflated when Helm is enabled (--enable-helm)'
  return new LadingError('kustomize.refused', problem, { field: 'helmCharts' })
}
