import type { DeploymentSample } from '../../deployment/contract/index.ts'

const chart = { 'flux.type': 'helmrelease', 'flux.chart': 'nginx', 'flux.sourceRef': 'bitnami' }

/** A HelmRelease and a Kustomization, as document 003 makes them. */
export const fluxSamples: readonly DeploymentSample[] = [
  {
    what: 'HelmRelease',
    request: (name) => ({
      name,
      namespace: 'production',
      values: { replicaCount: 3, image: { tag: '1.21' } },
      extensions: { ...chart, 'flux.chartVersion': '13.2.0' },
    }),
    updates: [
      { values: { replicaCount: 5 }, extensions: { 'flux.chartVersion': '14.0.0' } },
      { extensions: { 'flux.chartVersion': '15.0.0' } },
    ],
    shows: (extensions) => extensions['flux.chartVersion'],
    scalable: true,
    refused: {
      request: { name: 'test', extensions: { 'flux.type': 'helmrelease' } },
      message: /^flux\.chart extension is required for HelmRelease$/,
    },
  },
  {
    what: 'Kustomization',
    request: (name) => ({
      name,
      namespace: 'production',
      extensions: {
        'flux.type': 'kustomization',
        'flux.path': './infrastructure/production',
        'flux.sourceRef': 'infra-repo',
        'flux.sourceKind': 'GitRepository',
      },
    }),
    updates: [
      { extensions: { 'flux.path': './infrastructure/staging' } },
      { extensions: { 'flux.path': './infrastructure/test' } },
    ],
    shows: (extensions) => extensions['flux.path'],
    scalable: false,
    refused: {
      request: {
        name: 'test',
        extensions: { 'flux.type': 'kustomization', 'flux.path': '../up', 'flux.sourceRef': 'x' },
      },
      message: /^invalid path: /,
    },
  },
]
