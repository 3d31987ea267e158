import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BenchContext, Benchmark, Table } from '../benchmark.ts'
import { overlayFiles } from '../fixtures/overlay.ts'
import { benchProgram } from '../measure/node-program.ts'
import { type Command, runOwn } from '../measure/run-process.ts'
import type { Sample } from '../measure/sample.ts'
import { median, Series, turned } from '../measure/series.ts'
import { duration, timeTable } from '../measure/time-table.ts'

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
) {
  const folder = await writeOverlay(bench, objects, generators)
  const kubectl: Command = { command: bench.clients.kubectl, args: ['kustomize', join(folder, 'overlay')] }
  const whole = benchProgram(bench.folder, 'build-kustomization', [folder, 'overlay'])
  const ways: readonly (readonly [string, () => Promise<Sample & { stdout?: string }>])[] = [
    ['kubectl kustomize, its whole run', async () => runOwn(kubectl, bench.ctx.signal)],
    ['Lading, a whole run of node', async () => runOwn(whole, bench.ctx.signal)],
    ['Lading, first build of a process', async () => middle(await builds(bench, folder, 1))],
    ['Lading, in process', async () => middle((await builds(bench, folder, count)).slice(1))],
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
  if (outputs.size !== 1) throw new Error('the two did not build the same')
  return timeTable(title, series, { objects: objects + generators })
}

async function growth(bench: BenchContext, sizes: readonly number[]): Promise<Table> {
  const rows: string[][] = []
  for (const size of sizes) {
    bench.progress(`growth: ${size} objects`)
    const folder = await writeOverlay(bench, size, size / 10)
    const { ms, cpuMs = 0 } = middle((await builds(bench, folder, 6)).slice(1))
    rows.push([String(size), duration(ms), duration(cpuMs), `${((cpuMs * 1000) / size).toFixed(0)} µs`])
  }
  return {
    title: 'Growth: patches and generators grow with the objects',
    note: 'In process. Linear means that the last column stays as it is.',
    columns: ['objects', 'median', 'cpu', 'cpu per object'],
    rows,
  }
}

async function builds(bench: BenchContext, folder: string, count: number): Promise<Sample[]> {
  const program = benchProgram(bench.folder, 'build-kustomization', [folder, 'overlay', String(count)])
  return JSON.parse((await runOwn(program, bench.ctx.signal)).stdout) as Sample[]
}

function middle(samples: readonly Sample[]): Sample {
  return {
    ms: median(samples.map(({ ms }) => ms)) ?? 0,
    cpuMs: median(samples.map(({ cpuMs }) => cpuMs ?? 0)) ?? 0,
  }
}

async function writeOverlay(bench: BenchContext, objects: number, generators: number): Promise<string> {
  const folder = join(bench.folder, `overlay-${objects}-${generators}`)
  for (const [path, text] of Object.entries(overlayFiles(objects, generators))) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}
