export {
  type Descriptor,
  type DescriptorExtra,
  describe,
  type Digest,
  digestOf,
  isDigest,
  parseDigest,
  type Platform,
  verifyContent,
} from './descriptor.ts'
export {
  childrenOf,
  type ImageIndex,
  type ImageManifest,
  isIndex,
  isManifestType,
  maxManifestBytes,
  mediaTypes,
  parseManifest,
} from './manifest.ts'
export { memoryTarget } from './memory-target.ts'
export {
  formatReference,
  isTag,
  parseReference,
  parseRegistry,
  type Reference,
  type RepositoryName,
} from './reference.ts'
export {
  fetchAll,
  type Fetcher,
  type PushContent,
  type Pusher,
  type Resolver,
  type Tagger,
  type Target,
} from './target.ts'
