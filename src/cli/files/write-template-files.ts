import { join } from 'node:path'
import { oneLine } from '../../core/index.ts'
import { pathFrom } from '../connect.ts'
import type { Io } from '../io.ts'
import type { OutputFormat } from '../options/options.ts'
import { printDocument } from '../print/print-data.ts'
import { writeBelow } from './write-new-files.ts'

/** Writes what templates gave below a folder, over what a run before wrote, and says which files those are. */
export async function writeTemplateFiles(
  io: Io,
  outputDir: string,
  files: ReadonlyMap<string, string>,
  format: OutputFormat,
): Promise<void> {
  const { writeAtomically } = await import('../../render/helm/index.ts')
  await writeBelow(pathFrom(io, outputDir), files, writeAtomically)
  const written = [...files.keys()].map((name) => join(outputDir, name))
  await printDocument(io, format, { files: written }, () => written.map((path) => `wrote ${oneLine(path)}\n`).join(''))
}
