/**
 * Reads Kubernetes objects from files, folders and streams of YAML.
 *
 * @module
 */
export { type ManifestOptions, type ManifestSource, readManifest } from './read-manifest.ts'
export type { ByteSource } from './read-bytes.ts'
