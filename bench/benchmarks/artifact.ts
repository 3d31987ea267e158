import { join } from 'node:path'
import { startRegistry } from '../../testbed/index.ts'
import { peer } from '../../testbed/peers.ts'
import type { BenchContext, Benchmark, Table } from '../benchmark.ts'
import { overlayFiles } from '../fixtures/overlay.ts'
import { writeFiles } from '../../testing/write-files.ts'
import { ladingCommand } from '../measure/node-program.ts'
import { type Command, runOwn } from '../measure/run-process.ts'
import { Series, turned } from '../measure/series.ts'
import { timeTable } from '../measure/time-table.ts'

/** How fast an overlay becomes an artifact in a registry. */
export const artifactBenchmark: Benchmark = {
  name: 'artifact',
  compares:
    'building an overlay and pushing it: `lading push` to `kubectl kustomize` with `flux push artifact`, whole runs',
  run,
}

async function run(bench: BenchContext): Promise<Table[]> {
  const objects = bench.sizes?.at(-1) ?? 1000
  const { path: flux } = await peer('flux', bench.ctx)
  const installed = await bench.installed()
  const folder = await writeFiles(join(bench.folder, `artifact-${objects}`), overlayFiles(objects, 10))
  const registry = await startRegistry({}, bench.ctx)
  try {
    const series = new Series()
    const built = join(bench.folder, 'built.yaml')
    const to = `oci://${registry.host}/bench`
    const flags = ['--source', 'bench', '--revision', 'bench']
    const fluxPush: Command = {
      command: flux,
      args: ['push', 'artifact', `${to}/flux:v1`, `--path=${built}`, '--insecure-registry', ...flags],
    }
    const kubectl = [bench.clients.kubectl, 'kustomize', join(folder, 'overlay'), '--output', built] as const
    const ways: readonly (readonly [string, readonly Command[]])[] = [
      ['kubectl kustomize, then flux push artifact', [{ command: kubectl[0], args: kubectl.slice(1) }, fluxPush]],
      ['flux push artifact alone', [fluxPush]],
      [
        'lading push',
        [
          ladingCommand(bench.folder, installed, [
            'push',
            `${to}/lading:v1`,
            join(folder, 'overlay'),
            '--plain-http',
            ...flags,
          ]),
        ],
      ],
    ]
    for (let round = 0; round < (bench.rounds ?? 3); round++) {
      bench.progress(`round ${round + 1}`)
      // What is built first is pushed alone afterwards.
      for (const [name, commands] of round === 0 ? ways : turned(ways, round)) {
        let [ms, cpuMs] = [0, 0]
        for (const command of commands) {
          const sample = await runOwn(command, bench.ctx.signal)
          ms += sample.ms
          cpuMs += sample.cpuMs ?? 0
        }
        series.record(name, round, { ms, cpuMs })
      }
    }
    const note = 'Target: build and push in less than half of the first row. `flux push artifact` builds nothing.'
    return [timeTable(`Overlay of ${objects} objects to an artifact`, series, { note, objects })]
  } finally {
    await registry.stop()
  }
}
