import type { GroupVersionKind, KubeObject } from '../core/index.ts'
import type { AccessScope } from '../deployment/index.ts'

/** The kinds of Flux that deploy something. */
export type FluxKind = 'HelmRelease' | 'Kustomization'

/** The kinds of Flux that something is deployed from. */
export type SourceKind =
  | 'GitRepository'
  | 'OCIRepository'
  | 'HelmRepository'
  | 'HelmChart'
  | 'Bucket'
  | 'ExternalArtifact'

/** The one version of each kind that Flux serves today. */
export const fluxKinds: Readonly<Record<FluxKind, GroupVersionKind>> = {
  HelmRelease: { group: 'helm.toolkit.fluxcd.io', version: 'v2', kind: 'HelmRelease' },
  Kustomization: { group: 'kustomize.toolkit.fluxcd.io', version: 'v1', kind: 'Kustomization' },
}

/** The kinds that an adapter lists and makes as packages. */
export const packageKinds = ['GitRepository', 'OCIRepository', 'HelmRepository', 'Bucket'] as const

/** A kind of source that an adapter lists and makes as a package. */
export type PackageKind = (typeof packageKinds)[number]

/** What a HelmRelease may name in `chart.spec.sourceRef`. */
export const chartSourceKinds: readonly SourceKind[] = ['HelmRepository', 'GitRepository', 'Bucket']

/** What a HelmRelease may name in `chartRef`. */
export const chartRefKinds: readonly SourceKind[] = ['OCIRepository', 'HelmChart', 'ExternalArtifact']

/** What a Kustomization may name in `sourceRef`. */
export const kustomizationSourceKinds: readonly SourceKind[] = [
  'GitRepository',
  'OCIRepository',
  'Bucket',
  'ExternalArtifact',
]

/** The group, version and kind of a source. */
export function sourceGvk(kind: string): GroupVersionKind {
  return { group: 'source.toolkit.fluxcd.io', version: 'v1', kind }
}

/** Asks a controller to look at an object now; any new value does. */
export const requestedAtAnnotation = 'reconcile.fluxcd.io/requestedAt'

/** The revision that a rollback goes back to, while it is under way. */
export const rollbackAnnotation = 'lading.dev/rolling-back-to'

/** What the caller said about the deployment. */
export const descriptionAnnotation = 'lading.dev/description'

/** Extensions that no adapter knows, as JSON. */
export const extensionsAnnotation = 'lading.dev/extensions'

/** Whose rights decide who sees a Flux object. */
export function scopeOf({ apiVersion, kind, metadata: { namespace = '' } }: KubeObject): AccessScope {
  return { group: apiVersion.split('/')[0] ?? '', resource: plurals[kind] ?? `${kind.toLowerCase()}s`, namespace }
}

const plurals: Readonly<Record<string, string>> = {
  GitRepository: 'gitrepositories',
  OCIRepository: 'ocirepositories',
  HelmRepository: 'helmrepositories',
}
