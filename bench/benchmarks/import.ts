import { join } from 'node:path'
import type { BenchContext, Benchmark, Table } from '../benchmark.ts'
import { compileModules } from '../install-package.ts'
import { type Command, runOwn } from '../measure/run-process.ts'
import { Series, turned } from '../measure/series.ts'
import { timeTable } from '../measure/time-table.ts'

/** What a program pays for importing a door, without a cache of compiled code. */
export const importBenchmark: Benchmark = {
  name: 'import',
  compares: 'importing `lading/release` and `lading/helm`: bundled, as the package has them, and module by module',
  run,
}

const doors = [
  ['release', 'release/index'],
  ['helm', 'render/helm/index'],
] as const

async function run(bench: BenchContext): Promise<Table[]> {
  const { signal } = bench.ctx
  const bundled = join(await bench.installed(), 'dist')
  const modules = join(await compileModules(bench.folder, signal), 'dist')
  const ways: [string, Command][] = [
    ...doors.flatMap(([door, index]): [string, Command][] => [
      [`lading/${door}`, importing(join(bundled, `${door}.js`))],
      [`lading/${door}, module by module`, importing(join(modules, `${index}.js`))],
    ]),
    ['nothing', importing('node:path')],
  ]
  const series = new Series()
  // The first run of each fills the machine's file cache.
  for (const [, command] of ways) await runOwn(command, signal)
  for (let round = 0; round < (bench.rounds ?? 15); round++) {
    for (const [what, command] of turned(ways, round)) series.record(what, round, await runOwn(command, signal))
  }
  const note = 'Target: processor time of `lading/release` at most 220 ms, of `lading/helm` at most 100 ms.'
  return [timeTable('Import', series, { note })]
}

function importing(module: string): Command {
  return { command: process.execPath, args: ['--input-type=module', '-e', `import ${JSON.stringify(module)}`] }
}
