/** The media types of the formats, beside those of OCI and Docker. */
export const artifactMediaTypes = {
  fluxConfig: 'application/vnd.cncf.flux.config.v1+json',
  fluxContent: 'application/vnd.cncf.flux.content.v1.tar+gzip',
  /** What Flux writes for one file that is not packed begins so. */
  fluxPrefix: 'application/vnd.cncf.flux.content.v1',
  helmConfig: 'application/vnd.cncf.helm.config.v1+json',
  helmChart: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
  helmProvenance: 'application/vnd.cncf.helm.chart.provenance.v1.prov',
  yaml: 'application/x-yaml',
  /** The artifact type of what has an empty config. */
  ladingManifests: 'application/vnd.lading.manifests.v1',
} as const

/** How an artifact is laid out. */
export type ArtifactFormat = 'lading' | 'kustomizer' | 'flux' | 'raw' | 'helm' | 'tar'
