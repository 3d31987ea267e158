import { randomBytes } from 'node:crypto'
import type { KubeRequest, Transport } from '../../src/kube/index.ts'
import { createStore, type ReleaseRecord } from '../../src/release/index.ts'
import type { BenchContext, Benchmark, Table } from '../benchmark.ts'
import { runOwn, runProcess } from '../measure/run-process.ts'
import { Series, turned } from '../measure/series.ts'
import { timeTable } from '../measure/time-table.ts'
import { measureSets } from './apply.ts'
import { helmCommand, ladingRelease, openReleaseTools } from './release-tools.ts'

/** The life of a release, and the list of many. */
export const releaseBenchmark: Benchmark = {
  name: 'release',
  compares:
    'installing, planning, upgrading, uninstalling and listing releases: bare undici, Lading, kubectl, helm, as processes and without their start',
  run,
}

async function run(bench: BenchContext): Promise<Table[]> {
  const tools = await openReleaseTools(bench)
  bench.progress('warming up')
  await measureSets(bench, tools, 14, 1)
  const tables: Table[] = []
  for (const size of bench.sizes ?? [100, 1000]) {
    tables.push(...(await measureSets(bench, tools, size, bench.rounds ?? (size <= 100 ? 5 : 3))))
  }
  tables.push(await measureList(bench, Math.min(1000, Math.max(...(bench.sizes ?? [1000])))))
  return tables
}

/** The list of many releases in Helm's own storage, which both can read. */
async function measureList(bench: BenchContext, count: number): Promise<Table> {
  const { cluster } = await bench.target()
  const namespace = await bench.freshNamespace()
  bench.progress(`creating ${count} releases`)
  const store = createStore({ driver: 'helm' }, cluster)
  const names = Array.from({ length: count }, (_, at) => `r${at}`)
  while (names.length > 0) {
    await Promise.all(names.splice(0, 32).map((name) => store.create(recordOf(name, namespace), bench.ctx)))
  }
  const series = new Series()
  const rows = [
    { what: 'Lading list', command: await ladingRelease(bench, 'list', ['--driver=helm', `--namespace=${namespace}`]) },
    { what: 'helm list', command: await helmCommand(bench, namespace, ['list', '--max=0', '--output=json']) },
  ]
  for (let round = 0; round < (bench.rounds ?? 3); round++) {
    for (const { what, command } of turned(rows, round)) {
      bench.progress(`${count} releases, round ${round + 1}: ${what}`)
      series.record(what, round, await runProcess(command, bench.ctx.signal))
    }
  }
  const [lading] = rows
  if (lading !== undefined) {
    const { stdout } = await runOwn(lading.command, bench.ctx.signal)
    if ((JSON.parse(stdout) as { releases: number }).releases !== count) throw new Error(`listed ${stdout}`)
  }
  const note = `the answers to Lading’s list are ${await bytesOfList(bench, namespace)} bytes, the payloads ${count * payload} before base64`
  return timeTable(`list of ${count} releases of 20 kB each`, series, { note })
}

const payload = 20_000

function recordOf(name: string, namespace: string): ReleaseRecord {
  const now = new Date().toISOString()
  return {
    name,
    namespace,
    version: 1,
    state: { status: 'deployed' },
    pack: { type: 'manifest', name },
    values: {},
    valuesProvenance: { sources: {} },
    // Random, so that it stays as large when compressed.
    manifest: `# ${randomBytes(payload / 2).toString('hex')}\n`,
    hooks: [],
    inventory: [],
    labels: {},
    createdAt: now,
    updatedAt: now,
  }
}

async function bytesOfList(bench: BenchContext, namespace: string): Promise<number> {
  const { cluster } = await bench.target()
  let bytes = 0
  const request = async (sent: KubeRequest, ctx: BenchContext['ctx']): ReturnType<typeof cluster.transport.request> => {
    const response = await cluster.transport.request(sent, ctx)
    bytes += Buffer.byteLength(JSON.stringify(response.body))
    return response
  }
  const { transport: real } = cluster
  const transport: Transport = {
    server: real.server,
    identity: real.identity,
    request,
    stream: (sent, ctx) => real.stream(sent, ctx),
    close: () => real.close(),
  }
  await createStore({ driver: 'helm' }, { discovery: cluster.discovery, transport }).list(namespace, bench.ctx)
  return bytes
}
