import { access, constants, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Context, context } from '../src/core/index.ts'
import { cacheFolder } from './cache-folder.ts'
import { completeSource } from './complete-source.ts'
import { withFileLock } from './file-lock.ts'
import { type GoModule, readGoModule, requireGo } from './go-module.ts'
import { logTail, openProcesses } from './processes.ts'
import { showProgress } from './progress.ts'
import { TestbedError } from './testbed-error.ts'
import { type Tool, type ToolName, tools } from './tools.ts'

/** The path of a program: from KUBEBUILDER_ASSETS, from the cache, or built now. */
export async function ensureTool(name: ToolName, ctx: Context = context()): Promise<string> {
  const asset = await kubebuilderAsset(name)
  if (asset !== undefined) return asset
  const { module, folder, binary, version } = await locate(name)
  if (await isExecutable(binary)) return binary
  await requireGo(name)
  return withFileLock(
    `${folder}.lock`,
    async () => {
      if (!(await isExecutable(binary))) await build(name, version, module, folder, ctx)
      return binary
    },
    ctx,
  )
}

/** The version of a program as our modules require it. */
export async function toolVersion(name: ToolName): Promise<string> {
  return (await locate(name)).version
}

interface Location {
  readonly module: GoModule
  readonly folder: string
  readonly binary: string
  readonly version: string
}

async function locate(name: ToolName): Promise<Location> {
  const tool: Tool = tools[name]
  const module = await readGoModule(tool.module)
  const version = module.versionOf(tool.versionOf)
  const folder = join(cacheFolder(), `${name}-${version}-${module.hash}-${process.platform}-${process.arch}`)
  return { module, folder, binary: join(folder, name), version }
}

// The folder appears by one rename, so whoever sees the program sees all of it.
async function build(name: ToolName, version: string, module: GoModule, folder: string, ctx: Context): Promise<void> {
  const tool: Tool = tools[name]
  const staging = `${folder}.tmp`
  await rm(staging, { recursive: true, force: true })
  await mkdir(staging, { recursive: true })
  const variables = Object.entries(tool.versionVariables?.(version) ?? {}).map(([key, value]) => `-X ${key}=${value}`)
  // Under a supervisor, so that a compiler does not run on for minutes when its owner was killed.
  const processes = await openProcesses()
  try {
    const goMod =
      tool.generatedFiles === undefined
        ? []
        : [`-modfile=${await completeSource(tool, module.folder, processes.folder)}`]
    const flags = ['-trimpath', '-buildvcs=false', '-mod=readonly', '-v', '-ldflags', ['-s -w', ...variables].join(' ')]
    const go = await processes.start({
      name: 'go',
      // A build of several minutes must not starve what else runs on the machine.
      command: 'nice',
      args: ['-n', '10', 'go', 'build', ...flags, ...goMod, '-o', join(staging, name), tool.package],
      env: { TMPDIR: processes.folder },
      cwd: module.folder,
    })
    ctx.signal.addEventListener('abort', () => void go.stop(), { once: true })
    const exit = await showProgress(`building ${name} ${version}`, go.ended(), () => logTail(go, 1), ctx)
    if (exit !== 'code 0') throw new TestbedError(`cannot build ${tool.package}:\n${await logTail(go, 30)}`)
    await rm(folder, { recursive: true, force: true })
    await rename(staging, folder)
  } finally {
    await processes.stop()
    await rm(staging, { recursive: true, force: true })
  }
}

async function kubebuilderAsset(name: ToolName): Promise<string | undefined> {
  const assets = process.env['KUBEBUILDER_ASSETS']
  const tool: Tool = tools[name]
  if (assets === undefined || assets === '' || tool.kubebuilderAsset !== true) return undefined
  const path = join(assets, name)
  if (await isExecutable(path)) return path
  throw new TestbedError(`KUBEBUILDER_ASSETS is ${assets}, but there is no program ${name} in it`)
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
