import { isRecord } from '../core/index.ts'
import { type Extensions, invalidRequest } from '../deployment/index.ts'
import { textExtension } from './flux-extensions.ts'
import { chartRefKinds, chartSourceKinds } from './flux-kinds.ts'
import type { FluxSettings } from './flux-config.ts'
import { type Spec, sourceReference } from './source-reference.ts'

/** The longest name of a Helm release. */
const maxReleaseName = 53

/** Lays the extensions of a request over the spec of a HelmRelease; a field that no extension names stays as it is. */
export function helmReleaseSpec(before: Spec, extensions: Extensions, settings: FluxSettings): Spec {
  const spec: Record<string, unknown> = { ...before, ...chartOf(before, extensions, settings) }
  set(spec, 'releaseName', extensions['flux.releaseName'])
  set(spec, 'valuesFrom', extensions['flux.valuesFrom'])
  set(spec, 'driftDetection', extensions['flux.driftDetection'])
  const name = spec['releaseName']
  if (typeof name === 'string' && name.length > maxReleaseName) {
    throw invalidRequest(`flux.releaseName has more than ${maxReleaseName} characters`, { field: 'flux.releaseName' })
  }
  const install = actionOf(before['install'], extensions)
  const upgrade = actionOf(before['upgrade'], extensions)
  if (extensions['flux.createNamespace'] !== undefined) {
    set(install, 'createNamespace', extensions['flux.createNamespace'])
  }
  if (extensions['flux.force'] !== undefined) set(upgrade, 'force', extensions['flux.force'])
  set(spec, 'install', Object.keys(install).length === 0 ? null : install)
  set(spec, 'upgrade', Object.keys(upgrade).length === 0 ? null : upgrade)
  return spec
}

/** Sets a field, or removes it where the value is null; undefined leaves it. */
export function set(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (value === null) delete fields[name]
  else if (value !== undefined) fields[name] = value
}

function actionOf(before: unknown, extensions: Extensions): Record<string, unknown> {
  const action = isRecord(before) ? { ...before } : {}
  set(action, 'remediation', extensions['flux.remediation'])
  return action
}

/** Exactly one of `chart` and `chartRef`. */
function chartOf(before: Spec, extensions: Extensions, settings: FluxSettings): Spec {
  const chartRef = extensions['flux.chartRef']
  if (isRecord(chartRef)) {
    const { kind, name } = chartRef
    if (typeof name !== 'string' || !chartRefKinds.some((known) => known === kind)) {
      throw invalidRequest(`flux.chartRef needs a name and a kind of ${chartRefKinds.join(', ')}`, {
        field: 'flux.chartRef',
      })
    }
    if (textExtension(extensions, 'flux.chart') !== undefined) {
      throw invalidRequest('give flux.chart or flux.chartRef, not both', { field: 'flux.chartRef' })
    }
    return { chart: undefined, chartRef }
  }
  const template = isRecord(before['chart']) && isRecord(before['chart']['spec']) ? before['chart']['spec'] : {}
  const chart = textExtension(extensions, 'flux.chart') ?? template['chart']
  if (chart === undefined && before['chartRef'] !== undefined) return {}
  if (chart === undefined) {
    throw invalidRequest('flux.chart extension is required for HelmRelease', { field: 'flux.chart' })
  }
  const sourceRef = sourceReference(template['sourceRef'], extensions, {
    kinds: chartSourceKinds,
    defaultKind: 'HelmRepository',
    owner: 'HelmRelease',
    namespace: settings.sourceNamespace,
  })
  const spec: Record<string, unknown> = { ...template, chart, sourceRef }
  set(spec, 'version', extensions['flux.chartVersion'])
  return { chart: { spec }, chartRef: undefined }
}
