import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, parse, resolve, sep } from 'node:path'
import { ownFolder, packageFolder } from '../place.ts'

/** What a program may do beside computing; nothing of it by default. */
export interface ProgramAccess {
  /** Use the network. */
  readonly net?: boolean
  /** Environment variables that it sees. */
  readonly env?: Readonly<Record<string, string>>
  /** The folder of its package (default: that of the nearest package.json, or its own); packages are looked for below it only. */
  readonly root?: string
  /** Folders that it may read beside its own package. */
  readonly read?: readonly string[]
}

/** Flags of Node for the process that watches over a program: it reads nothing but itself. */
export function supervisorFlags(): string[] {
  return ['--permission', '--allow-worker', '--no-warnings', allowed(ownFolder)]
}

/** Flags of Node for the program itself: its package, the packages that it may import, and what it was allowed. */
export function programFlags(file: string, { net = false, read = [], root }: ProgramAccess): string[] {
  const granted = read.map((folder) => realpathSync(folder))
  const brought = packageFolder('zod') ?? []
  const own = root === undefined ? [...programFolder(file), ...packageFolders(file)] : [realpathSync(root)]
  const paths = [...own, ownFolder, ...granted].concat(brought)
  const flags = ['--permission', '--no-warnings', ...new Set(paths.map(allowed))]
  // Nodes that know a permission for the network deny it unless this is given.
  if (net && process.allowedNodeEnvironmentFlags.has('--allow-net')) flags.push('--allow-net')
  return flags
}

/** The package that a program is part of, or its folder. A home folder is neither: from there it reads only itself. */
function programFolder(file: string): string[] {
  const folder = dirname(file)
  const found = above(folder).find((each) => existsSync(join(each, 'package.json')) && !isHome(each))
  return isHome(found ?? folder) ? [file] : [found ?? folder]
}

function packageFolders(file: string): string[] {
  return above(dirname(file))
    .map((folder) => join(folder, 'node_modules'))
    .filter((folder) => existsSync(folder))
}

function isHome(folder: string): boolean {
  return folder === parse(folder).root || folder === resolve(homedir())
}

function above(folder: string): string[] {
  const up = dirname(folder)
  return up === folder ? [folder] : [folder, ...above(up)]
}

function allowed(path: string): string {
  return `--allow-fs-read=${isFile(path) || path.endsWith(sep) ? path : path + sep}`
}

function isFile(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path)
}
