import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeFiles } from '../testing/write-files.ts'
import { sourceFolder } from './go-module.ts'
import type { Tool } from './tools.ts'

/**
 * Makes a copy of a program's module with the files that upstream generates before its builds and does not publish, and a
 * go.mod that uses the copy. Returns that go.mod, for `go build -modfile`.
 */
export async function completeSource(tool: Tool, moduleFolder: string, staging: string): Promise<string> {
  const source = join(staging, 'source')
  await cp(await sourceFolder(tool.module, tool.versionOf), source, { recursive: true })
  // Go's module cache is read-only, and so is a copy of it.
  await promisify(execFile)('chmod', ['-R', 'u+w', source])
  await writeFiles(source, tool.generatedFiles ?? {})
  const goMod = join(staging, 'go.mod')
  await cp(join(moduleFolder, 'go.mod'), goMod)
  await cp(join(moduleFolder, 'go.sum'), join(staging, 'go.sum'))
  await promisify(execFile)('go', ['mod', 'edit', `-replace=${tool.versionOf}=${source}`, goMod])
  return goMod
}
