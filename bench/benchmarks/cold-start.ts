import type { BenchContext, Benchmark, Table } from '../benchmark.ts'
import { ladingCommand } from '../measure/node-program.ts'
import { type Command, runOwn } from '../measure/run-process.ts'
import { Series, turned } from '../measure/series.ts'
import { timeTable } from '../measure/time-table.ts'

/** What a user waits for before a command does anything. */
export const coldStartBenchmark: Benchmark = {
  name: 'cold-start',
  compares: 'telling the version: `lading` (built), `helm`, `kubectl`, and an empty program on Node',
  run,
}

async function run(bench: BenchContext): Promise<Table[]> {
  const { clients, ctx } = bench
  const ways: [string, Command][] = [
    ['helm version', { command: clients.helm, args: ['version'] }],
    ['lading version', ladingCommand(bench.folder, await bench.installed(), ['version'])],
    ['kubectl version --client', { command: clients.kubectl, args: ['version', '--client'] }],
    ['node -e 0', { command: process.execPath, args: ['-e', '0'] }],
  ]
  const series = new Series()
  // The first run of each fills the machine's file cache, and Node's cache of compiled code.
  for (const [, command] of ways) await runOwn(command, ctx.signal)
  for (let round = 0; round < (bench.rounds ?? 15); round++) {
    for (const [what, command] of turned(ways, round)) series.record(what, round, await runOwn(command, ctx.signal))
  }
  return [timeTable('Cold start', series, { note: 'Target: `lading version` at most 2× `helm version`.' })]
}
