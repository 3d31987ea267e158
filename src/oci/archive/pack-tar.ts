import { LadingError } from '../../core/index.ts'
import { type ArchiveFile, writeTar } from '../../core/tar/index.ts'
import { entryName } from './entry-name.ts'
import { defaultArchiveLimits } from './limits.ts'

/** Writes files as a tar that depends on nothing but them: sorted by name, no times, no owners. */
export function packTar(files: ReadonlyMap<string, ArchiveFile>): Uint8Array {
  const names = [...files.keys()].sort()
  for (const name of names) {
    if (entryName(name, defaultArchiveLimits.nameBytes) !== name) {
      throw new LadingError('archive.refused', `${JSON.stringify(name)} is no plain relative path`)
    }
  }
  return writeTar(names.map((name) => [name, files.get(name) as ArchiveFile]))
}
