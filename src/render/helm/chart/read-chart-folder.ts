import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { LadingError } from '../../../core/index.ts'
import type { Chart } from './chart.ts'
import { chargeEntry, chargeFile } from './charge-file.ts'
import { type ChartBudget, type ChartLimits, newBudget } from './chart-limits.ts'
import { type IgnoreRules, readIgnoreRules } from './helmignore.ts'
import { loadUnpacked } from './load-chart.ts'
import { withoutBom } from './without-bom.ts'

/** How a chart's folder is read. */
export interface ReadFolderOptions extends ChartLimits {
  /** Links may lead anywhere below this folder, and nowhere else; the chart's own folder unless told. */
  readonly linkRoot?: string
}

/** Loads a chart from its folder: .helmignore obeyed, links followed inside of `linkRoot` and refused out of it. */
export async function readChartFolder(folder: string, options: ReadFolderOptions = {}): Promise<Chart> {
  const budget = newBudget(options)
  return loadUnpacked(readFolderFiles(folder, budget, options.linkRoot), budget)
}

// Without waiting for each file in turn: for the many small ones of a chart that takes longer than reading them.
function readFolderFiles(folder: string, budget: ChartBudget, linkRoot = folder): Map<string, Uint8Array> {
  const root = rootOf(folder)
  const ignored = readIgnoreRules(readIgnoreFile(root))
  const walk: Walk = { budget, ignored, linkRoot: realpathSync(linkRoot), files: new Map(), open: new Set() }
  walkFolder(walk, root, '')
  return walk.files
}

function rootOf(folder: string): string {
  try {
    return realpathSync(folder)
  } catch (error) {
    throw new LadingError('file.not-found', `there is no chart at ${folder}`, { path: folder }, { cause: error })
  }
}

interface Walk {
  readonly budget: ChartBudget
  readonly ignored: IgnoreRules
  readonly linkRoot: string
  readonly files: Map<string, Uint8Array>
  /** Real paths of the folders that are being walked: a link to one of them would never end. */
  readonly open: Set<string>
}

function readIgnoreFile(root: string): string {
  const path = join(root, '.helmignore')
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true ? readFileSync(path, 'utf8') : ''
}

function walkFolder(walk: Walk, path: string, below: string): void {
  const real = realpathSync(path)
  if (walk.open.has(real)) throw refused(below, 'is a link to a folder that contains it')
  walk.open.add(real)
  for (const name of readdirSync(path).sort()) {
    walkEntry(walk, join(path, name), below === '' ? name : `${below}/${name}`)
  }
  walk.open.delete(real)
}

function walkEntry(walk: Walk, path: string, name: string): void {
  const own = lstatSync(path)
  if (own.isSymbolicLink()) checkLink(walk, path, name)
  const found = own.isSymbolicLink() ? statSync(path) : own
  if (walk.ignored(name, found.isDirectory())) return
  if (found.isDirectory()) {
    chargeEntry(walk.budget, name)
    walkFolder(walk, path, name)
    return
  }
  if (!found.isFile()) throw refused(name, 'is neither a file nor a folder')
  chargeFile(walk.budget, name, found.size)
  walk.files.set(name, withoutBom(readFileSync(path)))
}

function checkLink(walk: Walk, path: string, name: string): void {
  const target = targetOf(path)
  if (target === undefined) throw refused(name, 'is a link to nothing')
  if (target !== walk.linkRoot && !target.startsWith(walk.linkRoot + sep)) throw refused(name, 'links out of the chart')
}

function targetOf(link: string): string | undefined {
  try {
    return realpathSync(link)
  } catch {
    // Nothing is there, or links lead in a circle.
    return undefined
  }
}

function refused(name: string, problem: string): LadingError {
  return new LadingError('chart.refused', `${name} ${problem}`, { file: name })
}
