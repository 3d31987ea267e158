/**
 * A client for OCI registries and image layouts: push, pull, copy, sign, verify and encrypt artifacts.
 *
 * @module
 */
export type { ArchiveFile } from '../core/tar/index.ts'
export type { Network, NetworkOptions } from '../net/index.ts'
export { gzip } from './archive/compress.ts'
export { type ArchiveLimits, defaultArchiveLimits } from './archive/limits.ts'
export { packTar } from './archive/pack-tar.ts'
export { type UnpackOptions, unpackTar } from './archive/unpack-tar.ts'
export { type ArtifactFormat, artifactMediaTypes } from './artifact/media-types.ts'
export { type ArtifactMetadata, sourceDate } from './artifact/metadata.ts'
export { packChart, type PackChartOptions } from './artifact/pack-chart.ts'
export { packFiles, type PackFilesOptions } from './artifact/pack-files.ts'
export { packObjects, type PackObjectsOptions, type PackOrigin } from './artifact/pack-objects.ts'
export type { Blob, PackedArtifact } from './artifact/packed-artifact.ts'
export {
  type ArtifactLimits,
  pullArtifact,
  type PullArtifactOptions,
  type PulledArtifact,
  readArtifactMetadata,
} from './artifact/pull-artifact.ts'
export { pullVerified, type PullVerifiedOptions } from './artifact/pull-verified.ts'
export { pushArtifact } from './artifact/push-artifact.ts'
export { copy, type CopyOptions, type CopyResult } from './copy.ts'
export {
  type Credential,
  type CredentialRequest,
  type CredentialSource,
  staticCredential,
} from './credentials/credential.ts'
export { dockerCredentials, type DockerConfigOptions } from './credentials/docker-credentials.ts'
export { login, type LoginOptions, type LoginResult, logout } from './credentials/login.ts'
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
export { decryptAge, encryptAge, isAge, parseIdentities, parseRecipients } from './encryption/age.ts'
export { openLayout } from './layout/open-layout.ts'
export { listArtifacts, type TaggedArtifact } from './list-artifacts.ts'
export { type Attachment, listAttachments } from './list-attachments.ts'
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
export { type OpenTarget, openTarget, type OpenTargetOptions, refuseDigest } from './open-target.ts'
export {
  formatReference,
  isTag,
  parseReference,
  parseRegistry,
  type Reference,
  type RepositoryName,
} from './reference.ts'
export { openRepository, type RegistryOptions } from './registry/open-repository.ts'
export { signArtifact, type SignOptions } from './signature/sign-artifact.ts'
export {
  generateKeyPair,
  type KeyPair,
  loadPublicKey,
  loadSigningKey,
  type PublicKey,
  type SigningKey,
} from './signature/signing-key.ts'
export { type VerifiedSignature, verifySignature, type VerifyOptions } from './signature/verify-signature.ts'
export {
  fetchAll,
  type Fetcher,
  type PushContent,
  type Pusher,
  pushMissing,
  type Resolver,
  type Tagger,
  type Target,
} from './target.ts'
export type { TlsOptions, WireAnswer, WireRequest, Addresses, Reach, ResolveName, Dial, Env } from '../net/index.ts'
export type { FetchedPart } from './artifact/metadata.ts'
export type { DigestAlgorithm } from './descriptor.ts'
