import { join } from 'node:path'
import type { BenchContext, Benchmark, Table } from '../benchmark.ts'
import { chartFiles } from '../fixtures/chart.ts'
import { writeFiles } from '../../testing/write-files.ts'
import { compareWays, growthRow, middle, samplesOf, type Way } from '../measure/compare-ways.ts'
import { benchProgram } from '../measure/node-program.ts'
import { type Command, runOwn } from '../measure/run-process.ts'
import type { Sample } from '../measure/sample.ts'
import { timeTable } from '../measure/time-table.ts'

/** How fast charts are rendered. */
export const chartBenchmark: Benchmark = {
  name: 'chart',
  compares: 'loading and rendering charts in process to running helm template',
  run,
}

async function run(bench: BenchContext): Promise<Table[]> {
  const sizes = bench.sizes ?? [125, 250, 500, 1000]
  const large = bench.sizes?.at(-1) ?? 200
  bench.progress('small chart')
  const small = await compare(bench, 'Small chart: 3 templates, 6 objects', 3, 300, 5)
  bench.progress(`${large} templates`)
  const big = await compare(bench, `${large} templates, ${large * 2} objects`, large, 6, 3)
  return [small, big, await growth(bench, sizes)]
}

/** One chart in every way; `count` is how often a process that is there already renders it, of which the median counts. */
async function compare(
  bench: BenchContext,
  title: string,
  templates: number,
  count: number,
  rounds: number,
): Promise<Table> {
  const folder = await writeChart(bench, templates)
  const helm: Command = { command: bench.clients.helm, args: ['template', 'release-name', folder] }
  const whole = benchProgram(bench.folder, 'render-chart', [folder])
  const ways: readonly Way[] = [
    ['helm template, its whole run', () => runOwn(helm, bench.ctx.signal)],
    ['Lading, a whole run of node', () => runOwn(whole, bench.ctx.signal)],
    ['Lading, in process', () => rendered(bench, folder, count)],
  ]
  const series = await compareWays(ways, bench.rounds ?? rounds)
  return timeTable(title, series, { objects: templates * 2 })
}

async function growth(bench: BenchContext, sizes: readonly number[]): Promise<Table> {
  const rows: string[][] = []
  for (const size of sizes) {
    bench.progress(`growth: ${size} templates`)
    rows.push(growthRow(size, await rendered(bench, await writeChart(bench, size), 5)))
  }
  return {
    title: 'Growth with the templates',
    note: 'In process, loading included. Linear means that the last column stays as it is.',
    columns: ['templates', 'median', 'cpu', 'cpu per template'],
    rows,
  }
}

/** The median of all renders of a process but the first. */
async function rendered(bench: BenchContext, folder: string, count: number): Promise<Sample> {
  return middle((await samplesOf(bench, 'render-chart', [folder, String(count)])).slice(1))
}

function writeChart(bench: BenchContext, templates: number): Promise<string> {
  return writeFiles(join(bench.folder, `chart-${templates}`, 'bench'), chartFiles(templates))
}
