import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startRegistry } from '../../testbed/index.ts'
import { peer } from '../../testbed/peers.ts'
import type { BenchContext, Benchmark, Table } from '../benchmark.ts'
import { benchProgram } from '../measure/node-program.ts'
import { type Command, runOwn, runProcess } from '../measure/run-process.ts'
import type { Outcome, Sample } from '../measure/sample.ts'
import { median, Series, turned } from '../measure/series.ts'
import { timeTable } from '../measure/time-table.ts'

/** How fast artifacts come to a registry and back. */
export const registryTransferBenchmark: Benchmark = {
  name: 'registry',
  compares: 'push and pull of 13 MB and 5 KB, with `oras`, on CNCF distribution; without the start of a process',
  run,
}

const ways = ['oras', 'Lading', 'Lading, first of its process'] as const

const sizes: readonly (readonly [string, number])[] = [
  ['13 MB', 13 * 1024 * 1024],
  ['5 KB', 5 * 1024],
]

async function run(bench: BenchContext): Promise<Table[]> {
  const { path: oras } = await peer('oras', bench.ctx)
  const registry = await startRegistry({}, bench.ctx)
  try {
    const startMs = await startTime(bench, oras)
    const tables: Table[] = []
    for (const [name, bytes] of sizes) {
      bench.progress(name)
      tables.push(...(await measure(bench, { oras, host: registry.host, startMs, name, bytes })))
    }
    return tables
  } finally {
    await registry.stop()
  }
}

interface Setting {
  readonly oras: string
  readonly host: string
  /** What `oras` takes to start. */
  readonly startMs: number
  readonly name: string
  readonly bytes: number
}

async function measure(bench: BenchContext, setting: Setting): Promise<Table[]> {
  const { oras, host, startMs, name, bytes } = setting
  const [pushes, pulls] = [new Series(), new Series()]
  const folder = join(bench.folder, `registry-${bytes}`)
  await mkdir(folder)
  const byOras = async (...args: string[]): Promise<Outcome> => {
    const run = await runProcess(inFolder(folder, oras, [...args, '--plain-http', '--no-tty']), bench.ctx.signal)
    // A start varies by more than a small pull takes: what is left is counted as a millisecond at least.
    return 'failure' in run ? run : { ms: Math.max(1, run.ms - startMs) }
  }
  const byLading = async (...args: string[]): Promise<Outcome> =>
    JSON.parse((await runOwn(benchProgram(bench.folder, 'registry-transfer', args), bench.ctx.signal)).stdout) as Sample
  for (let round = 0; round < (bench.rounds ?? 7); round++) {
    // New content in new repositories: nothing is there yet.
    await writeFile(join(folder, 'content.bin'), randomBytes(bytes))
    for (const [index, way] of turned(ways, round).entries()) {
      const repository = `bench/${bytes}-${round}-${index}`
      const out = join(folder, `${round}-${index}`)
      if (way === 'oras') {
        const reference = `${host}/${repository}:v1`
        pushes.record(way, round, await byOras('push', '--artifact-type', 'application/x', reference, 'content.bin'))
        pulls.record(way, round, await byOras('pull', '--output', out, reference))
      } else {
        const start = way === 'Lading' ? 'warm' : 'cold'
        pushes.record(way, round, await byLading('push', host, repository, join(folder, 'content.bin'), start))
        pulls.record(way, round, await byLading('pull', host, repository, out, start))
      }
    }
  }
  const note = `Target: within 1.2× of \`oras\`. Its start (${startMs.toFixed(0)} ms, the median of \`oras version\`) is taken off; Lading is timed inside of a process that has pushed and pulled before, and of a fresh one.`
  return [timeTable(`Push of ${name}`, pushes, { note }), timeTable(`Pull of ${name}`, pulls, { note })]
}

async function startTime(bench: BenchContext, oras: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 15; round++) {
    times.push((await runOwn(inFolder(bench.folder, oras, ['version']), bench.ctx.signal)).ms)
  }
  return median(times.slice(1)) ?? 0
}

/** Files are titled by the path that `oras` is given, so it has to run where they are. */
function inFolder(folder: string, command: string, args: readonly string[]): Command {
  return { command: 'env', args: ['-C', folder, command, ...args] }
}
