import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BenchContext, Benchmark, Table } from '../benchmark.ts'
import { chartFiles } from '../fixtures/chart.ts'
import { benchProgram } from '../measure/node-program.ts'
import { type Command, runOwn } from '../measure/run-process.ts'
import type { Sample } from '../measure/sample.ts'
import { median, Series, turned } from '../measure/series.ts'
import { duration, timeTable } from '../measure/time-table.ts'

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
  const ways: readonly (readonly [string, () => Promise<Sample & { stdout?: string }>])[] = [
    ['helm template, its whole run', () => runOwn(helm, bench.ctx.signal)],
    ['Lading, a whole run of node', () => runOwn(whole, bench.ctx.signal)],
    ['Lading, in process', async () => middle((await renders(bench, folder, count)).slice(1))],
  ]
  const series = new Series()
  const outputs = new Set<string>()
  for (let round = 0; round < (bench.rounds ?? rounds); round++) {
    for (const [name, measure] of turned(ways, round)) {
      const { stdout, ...sample } = await measure()
      if (stdout !== undefined) outputs.add(stdout)
      series.record(name, round, sample)
    }
  }
  // What is not the same work is not worth comparing; of long outputs the ends are held against each other.
  if (outputs.size !== 1) throw new Error('the two did not render the same')
  return timeTable(title, series, { objects: templates * 2 })
}

async function growth(bench: BenchContext, sizes: readonly number[]): Promise<Table> {
  const rows: string[][] = []
  for (const size of sizes) {
    bench.progress(`growth: ${size} templates`)
    const { ms, cpuMs = 0 } = middle((await renders(bench, await writeChart(bench, size), 5)).slice(1))
    rows.push([String(size), duration(ms), duration(cpuMs), `${((cpuMs * 1000) / size).toFixed(0)} µs`])
  }
  return {
    title: 'Growth with the templates',
    note: 'In process, loading included. Linear means that the last column stays as it is.',
    columns: ['templates', 'median', 'cpu', 'cpu per template'],
    rows,
  }
}

async function renders(bench: BenchContext, folder: string, count: number): Promise<Sample[]> {
  const program = benchProgram(bench.folder, 'render-chart', [folder, String(count)])
  return JSON.parse((await runOwn(program, bench.ctx.signal)).stdout) as Sample[]
}

function middle(samples: readonly Sample[]): Sample {
  return {
    ms: median(samples.map(({ ms }) => ms)) ?? 0,
    cpuMs: median(samples.map(({ cpuMs }) => cpuMs ?? 0)) ?? 0,
  }
}

async function writeChart(bench: BenchContext, templates: number): Promise<string> {
  const folder = join(bench.folder, `chart-${templates}`, 'bench')
  for (const [path, text] of Object.entries(chartFiles(templates))) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}
