export { type ManifestOptions, type ManifestSource, readManifest } from './read-manifest.ts'
