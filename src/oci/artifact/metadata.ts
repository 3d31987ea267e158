import { isRecord, LadingError } from '../../core/index.ts'
import { ageVersion } from '../encryption/age.ts'

/** Something that was fetched to make an artifact, as `{ type, url, commit }` or `{ type, url, digest }`. */
export type FetchedPart = Readonly<Record<string, string>>

/** What an artifact tells about itself. */
export interface ArtifactMetadata {
  readonly version?: string
  /** The sha256 of the plain YAML, in hexadecimal digits. */
  readonly checksum?: string
  /** A time as RFC 3339 writes it. */
  readonly created?: string
  readonly sourceUrl?: string
  readonly sourceRevision?: string
  /** What was fetched from other hosts to make it: repositories with their commits, files and charts with their digests. */
  readonly remotes?: readonly FetchedPart[]
  readonly encrypted: boolean
}

type Annotations = Readonly<Record<string, string>>

const kustomizer = {
  version: 'kustomizer.dev/version',
  checksum: 'kustomizer.dev/checksum',
  created: 'kustomizer.dev/created',
  encrypted: 'kustomizer.dev/encrypted',
} as const

const remotesKey = 'lading.dev/remotes'

/** The annotations that the OCI image specification defines and artifacts use. */
export const ociAnnotations = {
  created: 'org.opencontainers.image.created',
  source: 'org.opencontainers.image.source',
  revision: 'org.opencontainers.image.revision',
  title: 'org.opencontainers.image.title',
} as const

/** Metadata as annotations: those of kustomizer, those of OCI, or both. */
export function annotationsOf(metadata: ArtifactMetadata, sets: readonly ('kustomizer' | 'oci')[]): Annotations {
  const { version, checksum, created, sourceUrl, sourceRevision, encrypted } = metadata
  const all: [string, string | undefined][] = [
    [ociAnnotations.source, sourceUrl],
    [ociAnnotations.revision, sourceRevision],
    [remotesKey, metadata.remotes === undefined ? undefined : JSON.stringify(metadata.remotes)],
  ]
  if (sets.includes('oci')) all.push([ociAnnotations.created, created])
  if (sets.includes('kustomizer')) {
    all.push([kustomizer.version, version], [kustomizer.checksum, checksum], [kustomizer.created, created])
    if (encrypted) all.push([kustomizer.encrypted, ageVersion])
  }
  const sorted = all.filter(([, value]) => value !== undefined && value !== '').sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted) as Annotations
}

/** Whether any annotation of kustomizer is there. */
export function hasKustomizerAnnotations(annotations: Annotations): boolean {
  return Object.values(kustomizer).some((key) => annotations[key] !== undefined)
}

/** Reads metadata; `strict` wants the annotations that kustomizer requires. */
export function readMetadata(annotations: Annotations, strict: boolean): ArtifactMetadata {
  const encryption = annotations[kustomizer.encrypted]
  if (encryption !== undefined && encryption !== ageVersion) {
    throw invalid(
      kustomizer.encrypted,
      `is ${JSON.stringify(encryption.slice(0, 100))}; only ${ageVersion} can be read`,
    )
  }
  for (const key of strict ? [kustomizer.version, kustomizer.checksum, kustomizer.created] : []) {
    if (annotations[key] === undefined) throw invalid(key, 'is missing')
  }
  const checksum = annotations[kustomizer.checksum]
  if (checksum !== undefined && !/^[0-9a-f]{64}$/.test(checksum)) throw invalid(kustomizer.checksum, 'is no sha256')
  const created = annotations[kustomizer.created] ?? annotations[ociAnnotations.created]
  if (strict && Number.isNaN(Date.parse(created ?? ''))) throw invalid(kustomizer.created, 'is no time')
  return {
    ...optional('version', annotations[kustomizer.version]),
    ...optional('checksum', checksum),
    ...optional('created', created),
    ...optional('sourceUrl', annotations[ociAnnotations.source]),
    ...optional('sourceRevision', annotations[ociAnnotations.revision]),
    ...readRemotes(annotations[remotesKey]),
    encrypted: encryption !== undefined,
  }
}

function readRemotes(text: string | undefined): Pick<ArtifactMetadata, 'remotes'> {
  if (text === undefined) return {}
  try {
    const remotes: unknown = JSON.parse(text)
    if (Array.isArray(remotes) && remotes.every(isPart)) return { remotes }
  } catch (error) {
    throw new LadingError(
      'artifact.invalid',
      `the annotation ${remotesKey} of the artifact is not JSON`,
      {},
      { cause: error },
    )
  }
  throw invalid(remotesKey, 'is no list of what was fetched')
}

function isPart(value: unknown): value is FetchedPart {
  return isRecord(value) && Object.values(value).every((each) => typeof each === 'string')
}

/** The time that an artifact is said to be made, from SOURCE_DATE_EPOCH (reproducible-builds.org); undefined without it. */
export function sourceDate(env: Readonly<Record<string, string | undefined>>): Date | undefined {
  const seconds = env['SOURCE_DATE_EPOCH']
  if (seconds === undefined || seconds === '') return undefined
  if (!/^\d{1,11}$/.test(seconds)) {
    throw new LadingError('usage.invalid', 'SOURCE_DATE_EPOCH is no number of seconds since 1970')
  }
  return new Date(Number(seconds) * 1000)
}

/** A time as RFC 3339 writes it in UTC, to the second. */
export function formatTime(time: Date): string {
  if (Number.isNaN(time.getTime())) throw new LadingError('usage.invalid', 'the time of creation is no time')
  return time.toISOString().replace(/\.\d+Z$/, 'Z')
}

function optional<K extends string>(key: K, value: string | undefined): { readonly [key in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [key in K]?: string })
}

function invalid(annotation: string, what: string): LadingError {
  return new LadingError('artifact.invalid', `the annotation ${annotation} of the artifact ${what}`, { annotation })
}
