import { LadingError } from '../../core/index.ts'
import type { ArchiveFile } from '../../core/tar/index.ts'
import { packTar } from '../archive/pack-tar.ts'
import { originOf, packFlux, type PackOrigin, packPlain } from './pack-objects.ts'
import type { PackedArtifact } from './packed-artifact.ts'

/** How a tree of files is packed. */
export interface PackFilesOptions extends PackOrigin {
  /** How the files are packed (default: `flux`); `tar` is the same tree without the media types of Flux. */
  readonly format?: 'flux' | 'tar'
}

/** Packs a tree of files, by their relative paths: the same tree gives the same digest. Of modes only "executable" is kept. */
export async function packFiles(
  files: ReadonlyMap<string, ArchiveFile>,
  options: PackFilesOptions = {},
): Promise<PackedArtifact> {
  if (files.size === 0) throw new LadingError('source.empty', 'there are no files to pack')
  const plain = new Map(
    [...files].map(([name, { content, mode = 0 }]) => [name, { content, mode: (mode & 0o100) === 0 ? 0o644 : 0o755 }]),
  )
  const tar = packTar(plain)
  return options.format === 'tar' ? packPlain(tar, originOf(options)) : packFlux(tar, originOf(options), ['oci'])
}
