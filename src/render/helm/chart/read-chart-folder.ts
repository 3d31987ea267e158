import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { LadingError } from '../../../core/index.ts'
import type { Chart } from './chart.ts'
import { chargeEntry, chargeFile } from './charge-file.ts'
import { type ChartBudget, type ChartLimits, newBudget } from './chart-limits.ts'
import { type IgnoreRules, readIgnoreRules } from './helmignore.ts'
import { loadUnpacked } from './load-chart.ts'

/** How a chart's folder is read. */
export interface ReadFolderOptions extends ChartLimits {
  /** Links may lead anywhere below this folder, and nowhere else; the chart's own folder unless told. */
  readonly linkRoot?: string
}

/** Loads a chart from its folder: .helmignore obeyed, links followed inside of `linkRoot` and refused out of it. */
export async function readChartFolder(folder: string, options: ReadFolderOptions = {}): Promise<Chart> {
  const budget = newBudget(options)
  return loadUnpacked(await readFolderFiles(folder, budget, options.linkRoot), budget)
}

async function readFolderFiles(
  folder: string,
  budget: ChartBudget,
  linkRoot = folder,
): Promise<Map<string, Uint8Array>> {
  const root = await realpath(folder).catch((error: unknown) => {
    throw new LadingError('file.not-found', `there is no chart at ${folder}`, { path: folder }, { cause: error })
  })
  const ignored = readIgnoreRules(await readIgnoreFile(root))
  const walk: Walk = { budget, ignored, linkRoot: await realpath(linkRoot), files: new Map(), open: new Set() }
  await walkFolder(walk, root, '')
  return walk.files
}

interface Walk {
  readonly budget: ChartBudget
  readonly ignored: IgnoreRules
  readonly linkRoot: string
  readonly files: Map<string, Uint8Array>
  /** Real paths of the folders that are being walked: a link to one of them would never end. */
  readonly open: Set<string>
}

async function readIgnoreFile(root: string): Promise<string> {
  const path = join(root, '.helmignore')
  const found = await lstat(path).catch(() => undefined)
  return found?.isFile() === true ? readFile(path, 'utf8') : ''
}

async function walkFolder(walk: Walk, path: string, below: string): Promise<void> {
  const real = await realpath(path)
  if (walk.open.has(real)) throw refused(below, 'is a link to a folder that contains it')
  walk.open.add(real)
  for (const name of (await readdir(path)).sort(byBytes)) {
    await walkEntry(walk, join(path, name), below === '' ? name : `${below}/${name}`)
  }
  walk.open.delete(real)
}

async function walkEntry(walk: Walk, path: string, name: string): Promise<void> {
  const own = await lstat(path)
  if (own.isSymbolicLink()) await checkLink(walk, path, name)
  const found = own.isSymbolicLink() ? await stat(path) : own
  if (walk.ignored(name, found.isDirectory())) return
  if (found.isDirectory()) {
    chargeEntry(walk.budget, name)
    return walkFolder(walk, path, name)
  }
  if (!found.isFile()) throw refused(name, 'is neither a file nor a folder')
  chargeFile(walk.budget, name, found.size)
  walk.files.set(name, withoutBom(await readFile(path)))
}

async function checkLink(walk: Walk, path: string, name: string): Promise<void> {
  const target = await realpath(path).catch(() => undefined)
  if (target === undefined) throw refused(name, 'is a link to nothing')
  if (target !== walk.linkRoot && !target.startsWith(walk.linkRoot + sep)) throw refused(name, 'links out of the chart')
}

function refused(name: string, problem: string): LadingError {
  return new LadingError('chart.refused', `${name} ${problem}`, { file: name })
}

function withoutBom(data: Uint8Array): Uint8Array {
  return data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf ? data.subarray(3) : data
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
