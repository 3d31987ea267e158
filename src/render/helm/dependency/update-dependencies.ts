import { type Context, LadingError } from '../../../core/index.ts'
import { join } from 'node:path'
import type { Chart, ChartLock, Dependency } from '../chart/chart.ts'
import { readChartFolder } from '../chart/read-chart-folder.ts'
import { writeLock } from '../package/write-metadata.ts'
import type { ChartAccess } from '../repository/resolve-chart.ts'
import { writeAtomically } from '../repository/write-atomically.ts'
import { fetchDependencies, type SavedDependency } from './fetch-dependencies.ts'
import { lockDigest, oldLockDigest } from './lock-digest.ts'
import { lockDependencies, placeDependencies, type PlacedDependency } from './resolve-dependencies.ts'
import { saveDependencies } from './save-dependencies.ts'

/** How dependencies are fetched. */
export interface DependencyOptions {
  /** The bytes of a keyring: every archive has to be signed by one of its keys. */
  readonly keyring?: Uint8Array
  /** Follow symlinks of charts' folders wherever they lead. */
  readonly followLinks?: boolean
}

/** What was put into charts/. */
export interface DependencyOutcome {
  readonly lock: ChartLock | undefined
  readonly saved: readonly SavedDependency[]
  /** Archives that no dependency names any more. */
  readonly removed: readonly string[]
}

/** Chooses versions anew, fetches them into charts/ and writes Chart.lock, as `helm dependency update` does. */
export async function updateDependencies(
  folder: string,
  options: DependencyOptions,
  access: ChartAccess,
  ctx: Context,
): Promise<DependencyOutcome> {
  const links = { followLinks: options.followLinks === true }
  const chart = await readChartFolder(folder, links)
  const placed = await placeDependencies(chart, access)
  if (placed.length === 0) return { lock: chart.lock, saved: [], removed: [] }
  const locked = await lockDependencies(folder, placed, links, access, ctx)
  const { saved, removed } = await bring(folder, placed, locked, options, access, ctx)
  const digest = lockDigest(requiredBy(placed), locked)
  // A lock that says the same keeps its time.
  if (chart.lock?.digest === digest) return { lock: chart.lock, saved, removed }
  const lock = { dependencies: locked, digest, generated: new Date(ctx.clock.now()).toISOString() }
  await writeAtomically(join(folder, lockFile(chart)), writeLock(lock))
  return { lock, saved, removed }
}

/** Fetches into charts/ what Chart.lock names, as `helm dependency build` does; without a lock it updates. */
export async function buildDependencies(
  folder: string,
  options: DependencyOptions,
  access: ChartAccess,
  ctx: Context,
): Promise<DependencyOutcome> {
  const chart = await readChartFolder(folder, { followLinks: options.followLinks === true })
  const { lock } = chart
  if (lock === undefined) return updateDependencies(folder, options, access, ctx)
  const placed = await placeDependencies(chart, access)
  checkLock(chart, lock, placed)
  const { saved, removed } = await bring(folder, placed, lock.dependencies, options, access, ctx)
  return { lock, saved, removed }
}

function checkLock(chart: Chart, lock: ChartLock, placed: readonly PlacedDependency[]): void {
  if (lock.digest === lockDigest(requiredBy(placed), lock.dependencies)) return
  const isOld = chart.metadata.apiVersion === 'v1' && lock.digest === oldLockDigest(chart.metadata.dependencies)
  if (isOld) return
  const file = chart.metadata.apiVersion === 'v1' ? 'requirements.yaml' : 'Chart.yaml'
  const problem = `${lockFile(chart)} is out of sync with ${file}: run \`lading dependency update\``
  throw new LadingError('chart.dependency', problem, { chart: chart.metadata.name, file: lockFile(chart) })
}

async function bring(
  folder: string,
  placed: readonly PlacedDependency[],
  locked: readonly Dependency[],
  options: DependencyOptions,
  access: ChartAccess,
  ctx: Context,
): Promise<{ saved: SavedDependency[]; removed: string[] }> {
  const fetched = await fetchDependencies(folder, placed, locked, options, access, ctx)
  const local = locked.filter(({ repository }) => repository === '').map(({ name }) => name)
  return {
    saved: fetched.map(({ archive: _, ...row }) => row),
    removed: await saveDependencies(folder, fetched, local),
  }
}

function requiredBy(placed: readonly PlacedDependency[]): Dependency[] {
  return placed.map(({ dependency }) => dependency)
}

function lockFile({ metadata }: Chart): string {
  return metadata.apiVersion === 'v1' ? 'requirements.lock' : 'Chart.lock'
}
