import { join } from 'node:path'
import type { BenchContext, Benchmark, Table } from '../benchmark.ts'
import { overlayFiles } from '../fixtures/overlay.ts'
import { writeFiles } from '../../testing/write-files.ts'
import { compareWays, growthRow, middle, samplesOf, type Way } from '../measure/compare-ways.ts'
import { benchProgram } from '../measure/node-program.ts'
import { type Command, runOwn } from '../measure/run-process.ts'
import type { Sample } from '../measure/sample.ts'
import { timeTable } from '../measure/time-table.ts'

/** How fast kustomizations are built. */
export const kustomizeBenchmark: Benchmark = {
  name: 'kustomize',
  compares: 'building overlays in process to running kubectl kustomize',
  run,
}

async function run(bench: BenchContext): Promise<Table[]> {
  const sizes = bench.sizes ?? [500, 1000, 2000, 4000]
  const large = bench.sizes?.at(-1) ?? 2000
  bench.progress('small overlay')
  const small = await compare(bench, 'Small overlay: 6 objects, 1 generator', 6, 1, 50, 5)
  bench.progress(`${large} objects`)
  const tables = [small, await compare(bench, `${large} objects, patches, prefix, 200 generators`, large, 200, 3, 2)]
  return [...tables, await growth(bench, sizes)]
}

/** One overlay in every way; `count` is how often a process that is there already builds it, of which the median counts. */
async function compare(
  bench: BenchContext,
  title: string,
  objects: number,
  generators: number,
  count: number,
  rounds: number,
): Promise<Table> {
  const folder = await writeOverlay(bench, objects, generators)
  const kubectl: Command = { command: bench.clients.kubectl, args: ['kustomize', join(folder, 'overlay')] }
  const whole = benchProgram(bench.folder, 'build-kustomization', [folder, 'overlay'])
  const ways: readonly Way[] = [
    ['kubectl kustomize, its whole run', () => runOwn(kubectl, bench.ctx.signal)],
    ['Lading, a whole run of node', () => runOwn(whole, bench.ctx.signal)],
    ['Lading, first build of a process', async () => middle(await builds(bench, folder, 1))],
    ['Lading, in process', async () => middle((await builds(bench, folder, count)).slice(1))],
  ]
  const series = await compareWays(ways, bench.rounds ?? rounds)
  return timeTable(title, series, { objects: objects + generators })
}

async function growth(bench: BenchContext, sizes: readonly number[]): Promise<Table> {
  const rows: string[][] = []
  for (const size of sizes) {
    bench.progress(`growth: ${size} objects`)
    const folder = await writeOverlay(bench, size, size / 10)
    rows.push(growthRow(size, middle((await builds(bench, folder, 6)).slice(1))))
  }
  return {
    title: 'Growth: patches and generators grow with the objects',
    note: 'In process. Linear means that the last column stays as it is.',
    columns: ['objects', 'median', 'cpu', 'cpu per object'],
    rows,
  }
}

function builds(bench: BenchContext, folder: string, count: number): Promise<Sample[]> {
  return samplesOf(bench, 'build-kustomization', [folder, 'overlay', String(count)])
}

function writeOverlay(bench: BenchContext, objects: number, generators: number): Promise<string> {
  return writeFiles(join(bench.folder, `overlay-${objects}-${generators}`), overlayFiles(objects, generators))
}
