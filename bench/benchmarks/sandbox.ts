import { type BarePool, type BareTarget, openBarePool } from '../bare/bare-pool.ts'
import { createNamespace, sendSet } from '../bare/bare-set.ts'
import { bareTarget } from '../bare/bare-target.ts'
import type { BenchContext, Benchmark, Table } from '../benchmark.ts'
import { configMaps, mixedSet } from '../fixtures/object-sets.ts'
import { timed } from '../measure/sample.ts'
import { Series, turned } from '../measure/series.ts'
import { duration, megabytes, timeTable } from '../measure/time-table.ts'
import { startSandboxProcess } from './sandbox-process.ts'
import { watchFanOut } from './watch-fan-out.ts'

/** The embedded cluster beside a real one. */
export const sandboxBenchmark: Benchmark = {
  name: 'sandbox',
  compares: 'the sandbox, in a process of its own, to the real API server: applies, watches, start, memory',
  run,
}

const watchers = 100

async function run(bench: BenchContext): Promise<Table[]> {
  const size = Math.max(...(bench.sizes ?? [1000]))
  return [
    await measureStart(bench),
    ...(await measureRequests(bench, size)),
    await measureMemory(bench, bench.sizes === undefined ? 10_000 : size),
  ]
}

async function measureStart(bench: BenchContext): Promise<Table> {
  bench.progress('starting sandboxes')
  const series = new Series()
  for (let round = -1; round < (bench.rounds ?? 5); round++) {
    const sandbox = await startSandboxProcess(bench)
    const { startMs } = sandbox
    await sandbox.stop()
    if (round >= 0) series.record('sandbox', round, { ms: startMs })
  }
  const { startMs } = await bench.target()
  const real = startMs === undefined ? '' : ` The real control plane of this run took ${duration(startMs)}.`
  return timeTable('Sandbox: from starting the process to serving', series, { note: `With the start of Node.${real}` })
}

async function measureRequests(bench: BenchContext, size: number): Promise<Table[]> {
  const { connection } = await bench.target()
  const sandbox = await startSandboxProcess(bench)
  // Open all the while: the handshakes of TLS, which only the real server asks for, are not what is measured.
  const servers = [
    openServer('real API server', await bareTarget(connection, bench.ctx), () => bench.freshNamespace()),
    openServer('sandbox', sandbox.target, sandboxNamespace),
  ]
  try {
    await measureApplies(bench, servers, Math.min(size, 200), 1)
    return [
      ...(await measureApplies(bench, servers, size, bench.rounds ?? 5)),
      await measureFanOut(bench, servers, Math.min(size, 200), bench.rounds ?? 3),
    ]
  } finally {
    for (const { pool } of servers) await pool.close()
    await sandbox.stop()
  }
}

interface Server {
  readonly what: string
  readonly target: BareTarget
  readonly pool: BarePool
  /** Makes a namespace. */
  readonly namespace: (pool: BarePool) => Promise<string>
}

function openServer(what: string, target: BareTarget, namespace: Server['namespace']): Server {
  return { what, target, pool: openBarePool(target), namespace }
}

async function measureApplies(
  bench: BenchContext,
  servers: readonly Server[],
  size: number,
  rounds: number,
): Promise<Table[]> {
  const phases = { created: new Series(), 'nothing changed': new Series() }
  const objects = configMaps(size)
  for (let round = 0; round < rounds; round++) {
    for (const { what, pool, namespace } of turned(servers, round)) {
      bench.progress(`${size} applies, round ${round + 1} of ${rounds}: ${what}`)
      const name = await namespace(pool)
      for (const series of Object.values(phases)) {
        const sample = await timed(async () => void (await sendSet(pool, 'apply', objects, name)))
        series.record(what, round, sample)
      }
    }
  }
  const note = 'Target: the sandbox at most 0.50× of the real API server. The processor time is the client’s.'
  return Object.entries(phases).map(([phase, series]) =>
    timeTable(`Sandbox: ${size} ConfigMaps by server-side apply, ${phase}`, series, { objects: size, note }),
  )
}

async function measureFanOut(
  bench: BenchContext,
  servers: readonly Server[],
  size: number,
  rounds: number,
): Promise<Table> {
  const series = new Series()
  for (let round = 0; round < rounds; round++) {
    for (const { what, target, pool, namespace } of turned(servers, round)) {
      bench.progress(`${watchers} watchers, round ${round + 1} of ${rounds}: ${what}`)
      const name = await namespace(pool)
      series.record(what, round, await watchFanOut(target, pool, name, watchers, size, bench.ctx.signal))
    }
  }
  const title = `Sandbox: ${size} new ConfigMaps told to ${watchers} watchers, ${size * watchers} events`
  return timeTable(title, series, { objects: size * watchers, note: 'Here objects/s are events each second.' })
}

async function measureMemory(bench: BenchContext, size: number): Promise<Table> {
  bench.progress(`memory with ${size} objects`)
  const sandbox = await startSandboxProcess(bench)
  const pool = openBarePool(sandbox.target)
  const row = (what: string): string[] => {
    const usage = sandbox.usage()
    return [what, megabytes(usage?.residentBytes), megabytes(usage?.peakBytes)]
  }
  try {
    const rows = [row('empty')]
    const namespace = await sandboxNamespace(pool)
    await sendSet(pool, 'apply', mixedSet(size, 1), namespace)
    rows.push(row(`${size} mixed objects`))
    return { title: 'Sandbox: memory of its process', columns: ['', 'resident', 'peak'], rows }
  } finally {
    await pool.close()
    await sandbox.stop()
  }
}

async function sandboxNamespace(pool: BarePool): Promise<string> {
  const name = `bench-${process.hrtime.bigint().toString(36)}`
  await createNamespace(pool, name)
  return name
}
