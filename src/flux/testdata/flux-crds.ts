import type { KubeObject } from '../../core/index.ts'

const kinds = [
  ['source.toolkit.fluxcd.io', 'v1', 'GitRepository', 'gitrepositories'],
  ['source.toolkit.fluxcd.io', 'v1', 'OCIRepository', 'ocirepositories'],
  ['source.toolkit.fluxcd.io', 'v1', 'HelmRepository', 'helmrepositories'],
  ['source.toolkit.fluxcd.io', 'v1', 'HelmChart', 'helmcharts'],
  ['source.toolkit.fluxcd.io', 'v1', 'Bucket', 'buckets'],
  ['kustomize.toolkit.fluxcd.io', 'v1', 'Kustomization', 'kustomizations'],
  ['helm.toolkit.fluxcd.io', 'v2', 'HelmRelease', 'helmreleases'],
] as const

/** CRDs under the names of Flux that take any spec; those of Flux itself are installed in e2e. */
export const fluxCrds: readonly KubeObject[] = kinds.map(([group, version, kind, plural]) => {
  const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: free, status: free } } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, subresources: { status: {} }, schema }],
    },
  }
})
