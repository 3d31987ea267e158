import { resolve as resolvePath } from 'node:path'
import { LadingError } from '../core/index.ts'
import { isDigest } from './descriptor.ts'
import { openLayout } from './layout/open-layout.ts'
import { formatReference, isTag, parseReference, type Reference } from './reference.ts'
import { openRepository, type RegistryOptions } from './registry/open-repository.ts'
import type { Target } from './target.ts'

/** The place of an artifact: a repository of a registry, or a folder with an image layout. */
export interface OpenTarget {
  readonly target: Target
  /** Tag or digest (default: `latest`). */
  readonly name: string
  readonly tag: string | undefined
  /** Absent for a layout. */
  readonly reference?: Reference
  /** The text that names an artifact of this place by its digest. */
  readonly pinned: (digest: string) => string
}

/** How a place is opened. */
export interface OpenTargetOptions {
  /** How its registry is reached. */
  readonly registry?: RegistryOptions | undefined
  /** The folder that the path of a layout starts from (default: the working directory). */
  readonly cwd?: string | undefined
}

const layoutScheme = 'oci-layout:'

/** Opens `oci://HOST/REPOSITORY[:TAG][@DIGEST]`, or `oci-layout:FOLDER[:TAG][@DIGEST]`; close its target after use. */
export function openTarget(text: string, { registry = {}, cwd }: OpenTargetOptions = {}): OpenTarget {
  return text.startsWith(layoutScheme) ? openFolder(text, cwd) : openRemote(text, registry)
}

/** Throws if a text to be written to names a digest: what is written has a digest of its own. */
export function refuseDigest(text: string, { name }: Pick<OpenTarget, 'name'>): void {
  if (!name.includes(':')) return
  throw new LadingError('usage.invalid', `${text} names a digest, and what is written there gives its own: give a tag`)
}

function openRemote(text: string, options: RegistryOptions): OpenTarget {
  const reference = parseReference(text)
  const { registry, repository, tag, digest } = reference
  return {
    target: openRepository(reference, options),
    name: digest ?? tag ?? 'latest',
    tag,
    reference,
    pinned: (found) => formatReference({ registry, repository, digest: found }),
  }
}

function openFolder(text: string, cwd: string | undefined): OpenTarget {
  const match = /^(.+?)(?::([\w][\w.-]{0,127}))?(?:@(sha\d+:[0-9a-f]+))?$/.exec(text.slice(layoutScheme.length))
  const [, folder = '', tag, digest] = match ?? []
  if (folder === '' || (digest !== undefined && !isDigest(digest)) || (tag !== undefined && !isTag(tag))) {
    throw new LadingError('oci.reference-invalid', `${text} is not a layout: write oci-layout:FOLDER[:TAG][@DIGEST]`)
  }
  return {
    target: openLayout(cwd === undefined ? folder : resolvePath(cwd, folder)),
    name: digest ?? tag ?? 'latest',
    tag,
    pinned: (found) => `${layoutScheme}${folder}@${found}`,
  }
}
