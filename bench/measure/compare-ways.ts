import type { BenchContext } from '../benchmark.ts'
import { benchProgram } from './node-program.ts'
import { runOwn } from './run-process.ts'
import type { Sample } from './sample.ts'
import { median, Series, turned } from './series.ts'
import { duration } from './time-table.ts'

/** One way to do some work; what it prints, where it prints something, must be what the others print. */
export type Way = readonly [name: string, measure: () => Promise<Sample & { stdout?: string }>]

/** Does the same work in every way, turn about, and holds what they print against each other. */
export async function compareWays(ways: readonly Way[], rounds: number): Promise<Series> {
  const series = new Series()
  const outputs = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of turned(ways, round)) {
      const { stdout, ...sample } = await measure()
      if (stdout !== undefined) outputs.add(stdout)
      series.record(name, round, sample)
    }
  }
  // What is not the same work is not worth comparing; of long outputs the ends are held against each other.
  if (outputs.size !== 1) throw new Error('the ways did not come to the same')
  return series
}

/** What one of `bench/programs` measured of its own work, done so often as its last argument says. */
export async function samplesOf(bench: BenchContext, name: string, args: readonly string[]): Promise<Sample[]> {
  return JSON.parse((await runOwn(benchProgram(bench.folder, name, args), bench.ctx.signal)).stdout) as Sample[]
}

/** The median of samples. */
export function middle(samples: readonly Sample[]): Sample {
  return {
    ms: median(samples.map(({ ms }) => ms)) ?? 0,
    cpuMs: median(samples.map(({ cpuMs }) => cpuMs ?? 0)) ?? 0,
  }
}

/** A row of a table of growth: size, median, cpu, and cpu for each of what grows. */
export function growthRow(size: number, { ms, cpuMs = 0 }: Sample): string[] {
  return [String(size), duration(ms), duration(cpuMs), `${((cpuMs * 1000) / size).toFixed(0)} µs`]
}
