import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { LadingError, type Log, silentLog } from '../../../core/index.ts'
import type { Chart } from './chart.ts'
import { countEntry, countFile } from './chart-budget.ts'
import { type ChartBudget, type ChartLimits, newBudget } from './chart-limits.ts'
import { type IgnoreRules, readIgnoreRules } from './helmignore.ts'
import { linkScope, type LinkScope } from './link-scope.ts'
import { loadUnpacked } from './load-chart.ts'
import { withoutBom } from './without-bom.ts'

/** How a chart's folder is read. */
export interface ReadFolderOptions extends ChartLimits {
  /** Follow symlinks wherever they lead (default: inside of the surrounding git repository, or to a chart beside this one). */
  readonly followLinks?: boolean
  /** Told of every link that leads out of the chart. */
  readonly log?: Log
}

/** Links within folders that were reached by links. */
const maxNestedLinks = 16

/** Loads a chart from its folder: .helmignore obeyed; links out of the chart are followed with a warning, or refused. */
export async function readChartFolder(folder: string, options: ReadFolderOptions = {}): Promise<Chart> {
  const budget = newBudget(options)
  return loadUnpacked(readFolderFiles(folder, budget, options), budget)
}

// Without waiting for each file in turn: for the many small ones of a chart that takes longer than reading them.
function readFolderFiles(folder: string, budget: ChartBudget, options: ReadFolderOptions): Map<string, Uint8Array> {
  const root = rootOf(folder)
  const ignored = readIgnoreRules(readIgnoreFile(root))
  const { followLinks = false, log = silentLog } = options
  const scopeOf = linkScope(root, followLinks)
  const walk: Walk = { budget, ignored, scopeOf, log, files: new Map(), open: new Set() }
  walkFolder(walk, root, '', 0)
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
  readonly scopeOf: (target: string) => LinkScope
  readonly log: Log
  readonly files: Map<string, Uint8Array>
  /** Real paths of the folders that are being walked: a link to one of them would never end. */
  readonly open: Set<string>
}

function readIgnoreFile(root: string): string {
  const path = join(root, '.helmignore')
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true ? readFileSync(path, 'utf8') : ''
}

// By real paths: a path through many links would have to be resolved anew for every entry below it.
function walkFolder(walk: Walk, real: string, below: string, links: number): void {
  if (walk.open.has(real)) throw refused(below, 'is a link to a folder that contains it')
  walk.open.add(real)
  for (const name of readdirSync(real).sort()) {
    walkEntry(walk, join(real, name), below === '' ? name : `${below}/${name}`, links)
  }
  walk.open.delete(real)
}

function walkEntry(walk: Walk, path: string, name: string, linksAbove: number): void {
  const own = lstatSync(path)
  const links = linksAbove + (own.isSymbolicLink() ? 1 : 0)
  if (links > maxNestedLinks)
    throw refused(name, `is a symlink below ${maxNestedLinks} others: so many are not followed`)
  const target = own.isSymbolicLink() ? linkedPath(path, name) : undefined
  const found = target === undefined ? own : statSync(target)
  if (walk.ignored(name, found.isDirectory())) return
  if (target !== undefined) checkLink(walk, target, name)
  if (found.isDirectory()) {
    countEntry(walk.budget, name)
    walkFolder(walk, target ?? path, name, links)
    return
  }
  if (!found.isFile()) throw refused(name, 'is neither a file nor a folder')
  countFile(walk.budget, name, found.size)
  walk.files.set(name, withoutBom(readFileSync(target ?? path)))
}

function linkedPath(path: string, name: string): string {
  const target = targetOf(path)
  if (target === undefined) throw refused(name, 'is a link to nothing')
  return target
}

function checkLink({ scopeOf, log }: Walk, target: string, name: string): void {
  switch (scopeOf(target)) {
    case 'chart':
      return
    case 'followed':
      log.warn(
        `${name} is a symlink that leads out of the chart, to ${target}: what is there becomes part of the chart`,
      )
      return
    case 'refused':
      throw refused(
        name,
        `is a symlink to ${target}, which is outside of the chart and its repository: give --follow-links to follow it`,
      )
  }
}

function targetOf(link: string): string | undefined {
  try {
    return realpathSync.native(link)
  } catch {
    // Nothing is there, or links lead in a circle.
    return undefined
  }
}

function refused(name: string, problem: string): LadingError {
  return new LadingError('chart.refused', `${name} ${problem}`, { file: name })
}
