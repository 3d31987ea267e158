import { defined, LadingError } from '../core/index.ts'
import type { Reference, RegistryOptions, Target } from '../oci/index.ts'
import { pathFrom } from './connect.ts'
import type { Io } from './io.ts'
import { type RegistryFlags, registryOptions } from './options/registry-options.ts'

/** An artifact's place as a command names it: a registry, or a folder with an image layout. */
export interface OpenTarget {
  readonly target: Target
  /** Tag or digest; `latest` where none was given. */
  readonly name: string
  readonly tag: string | undefined
  /** Absent for a layout. */
  readonly reference?: Reference
  /** The place with the digest of an artifact there. */
  readonly pinned: (digest: string) => string
}

const layoutScheme = 'oci-layout:'

/** Opens `oci://HOST/REPOSITORY[:TAG][@DIGEST]`, or `oci-layout:FOLDER[:TAG][@DIGEST]`, for as long as the work takes. */
export async function withTarget<Result>(
  io: Io,
  text: string,
  flags: RegistryFlags,
  work: (place: OpenTarget) => Promise<Result>,
  resolve?: RegistryOptions['resolve'],
): Promise<Result> {
  const place = text.startsWith(layoutScheme) ? await openFolder(io, text) : await openRemote(io, text, flags, resolve)
  try {
    return await work(place)
  } finally {
    await place.target.close()
  }
}

/** Refuses a digest where something is written: what is written gives its own, and one that is asked for would only seem to be kept to. */
export function refuseDigest(text: string, { name }: OpenTarget): void {
  if (!name.includes(':')) return
  throw new LadingError('usage.invalid', `${text} names a digest, and what is written there gives its own: give a tag`)
}

async function openRemote(
  io: Io,
  text: string,
  flags: RegistryFlags,
  resolve: RegistryOptions['resolve'],
): Promise<OpenTarget> {
  const { formatReference, openRepository, parseReference } = await import('../oci/index.ts')
  const reference = parseReference(text)
  const { registry, repository, tag, digest } = reference
  return {
    target: openRepository(reference, { ...(await registryOptions(io, flags)), ...defined({ resolve }) }),
    name: digest ?? tag ?? 'latest',
    tag,
    reference,
    pinned: (found) => formatReference({ registry, repository, digest: found }),
  }
}

async function openFolder(io: Io, text: string): Promise<OpenTarget> {
  const { isDigest, isTag, openLayout } = await import('../oci/index.ts')
  const match = /^(.+?)(?::([\w][\w.-]{0,127}))?(?:@(sha\d+:[0-9a-f]+))?$/.exec(text.slice(layoutScheme.length))
  const [, folder = '', tag, digest] = match ?? []
  if (folder === '' || (digest !== undefined && !isDigest(digest)) || (tag !== undefined && !isTag(tag))) {
    throw new LadingError('oci.reference-invalid', `${text} is no layout: write oci-layout:FOLDER[:TAG][@DIGEST]`)
  }
  return {
    target: openLayout(pathFrom(io, folder)),
    name: digest ?? tag ?? 'latest',
    tag,
    pinned: (found) => `${layoutScheme}${folder}@${found}`,
  }
}
