import type { KubeObject } from '../../src/core/index.ts'
import { applyObject, applySet, type ApplySetOptions } from '../../src/kube/index.ts'
import { eachInFlight, openBarePool } from '../bare/bare-pool.ts'
import { sendSet } from '../bare/bare-set.ts'
import { bareTarget } from '../bare/bare-target.ts'
import type { BenchContext, Benchmark, Table } from '../benchmark.ts'
import { configMaps } from '../fixtures/object-sets.ts'
import { timed } from '../measure/sample.ts'
import { Series, turned } from '../measure/series.ts'
import { timeTable } from '../measure/time-table.ts'

/** How close the engine comes to the limit of bare requests. */
export const rawLimitBenchmark: Benchmark = {
  name: 'raw-limit',
  compares:
    'applying ConfigMaps in one process that is warm: bare undici, 32 in flight, to `applySet` and `applyObject`',
  run,
}

async function run(bench: BenchContext): Promise<Table[]> {
  const { cluster, connection } = await bench.target()
  const pool = openBarePool(await bareTarget(connection, bench.ctx))
  const engine = (options: ApplySetOptions) => async (namespace: string, objects: readonly KubeObject[]) => {
    let created = 0
    for await (const event of applySet(cluster, objects, { ...options, namespace }, bench.ctx)) {
      if (event.type === 'object' && event.action === 'created') created++
    }
    return created
  }
  const oneByOne = async (namespace: string, objects: readonly KubeObject[]): Promise<number> => {
    let created = 0
    await eachInFlight(objects, async (object) => {
      const placed = { ...object, metadata: { ...object.metadata, namespace } }
      const { action } = await applyObject(cluster, placed, {}, bench.ctx)
      if (action === 'created') created++
    })
    return created
  }
  const ways: Way[] = [
    ['bare undici', (namespace, objects) => sendSet(pool, 'apply', objects, namespace)],
    ['applySet, no preflight', engine({ preflight: false })],
    ['applySet', engine({})],
    ['applyObject, 32 in flight', oneByOne],
  ]
  try {
    await measure(bench, ways, 100, 1)
    const tables: Table[] = []
    for (const size of bench.sizes ?? [1000, 10_000]) {
      bench.progress(`${size} ConfigMaps`)
      tables.push(...(await measure(bench, ways, size, bench.rounds ?? (size <= 1000 ? 7 : 2))))
    }
    return tables
  } finally {
    await pool.close()
  }
}

/** Applies a set to a namespace and gives how many objects were created. */
type Way = readonly [what: string, apply: (namespace: string, objects: readonly KubeObject[]) => Promise<number>]

async function measure(bench: BenchContext, ways: readonly Way[], size: number, rounds: number): Promise<Table[]> {
  const objects = configMaps(size)
  const phases = { create: new Series(), again: new Series() }
  for (let round = 0; round < rounds; round++) {
    for (const [what, apply] of turned(ways, round)) {
      const namespace = await bench.freshNamespace()
      for (const phase of ['create', 'again'] as const) {
        let created = 0
        const sample = await timed(async () => {
          created = await apply(namespace, objects)
        })
        if (created !== (phase === 'create' ? size : 0)) throw new Error(`${what}: ${created} of ${size} created`)
        phases[phase].record(what, round, sample)
      }
    }
  }
  const note = 'Target: `applySet` without preflight within 1.25× of bare undici at 1000, the same rate at 10,000.'
  return [
    timeTable(`Limit: ${size} ConfigMaps, created`, phases.create, { objects: size, note }),
    timeTable(`Limit: ${size} ConfigMaps, nothing changed`, phases.again, { objects: size }),
  ]
}
