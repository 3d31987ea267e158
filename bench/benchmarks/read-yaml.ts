import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringifyJson } from '../../src/core/index.ts'
import { writeDocuments, writeYaml } from '../../src/core/yaml/index.ts'
import type { BenchContext, Benchmark, Table } from '../benchmark.ts'
import { largeManifest } from '../fixtures/large-manifest.ts'
import { benchProgram } from '../measure/node-program.ts'
import { runOwn } from '../measure/run-process.ts'
import type { Sample } from '../measure/sample.ts'
import { median, Series, turned } from '../measure/series.ts'
import { duration, megabytes } from '../measure/time-table.ts'

/** How fast manifests become objects. */
export const readYamlBenchmark: Benchmark = {
  name: 'read-yaml',
  compares: 'reading manifests of 2, 10 and 20 MB to js-yaml alone, which knows nothing of Kubernetes',
  run,
}

const objectsPerMegabyte = 500

async function run(bench: BenchContext): Promise<Table[]> {
  const tables: Table[] = []
  for (const size of [2, 10, 20]) {
    bench.progress(`${size} MB`)
    tables.push(await measure(bench, size))
  }
  return tables
}

async function measure(bench: BenchContext, size: number): Promise<Table> {
  const ways = await writeManifests(bench.folder, size)
  const series = new Series()
  const heaps = new Map<string, number[]>()
  for (let round = 0; round < (bench.rounds ?? 3); round++) {
    for (const { what, way, file } of turned(ways, round)) {
      const run = await runOwn(benchProgram(bench.folder, 'read-yaml', [way, file]), bench.ctx.signal)
      // Time and heap are the reader's; the peak is the whole process's, which holds the text as well.
      const { heapBytes, ...inside } = JSON.parse(run.stdout) as Sample & { heapBytes: number }
      heaps.set(what, [...(heaps.get(what) ?? []), heapBytes])
      series.record(what, round, { ...run, ms: inside.ms, ...(inside.cpuMs !== undefined && { cpuMs: inside.cpuMs }) })
    }
  }
  const rows = ways.map(({ what, bytes }) => {
    const { medianMs, ratio, cpuMs, peakBytes, rounds } = series.summary(what, ways[0]?.what ?? '')
    const speed = medianMs === undefined ? 0 : (bytes / 1024 / 1024 / medianMs) * 1000
    const times = [duration(medianMs), ratio === undefined ? '–' : `${ratio.toFixed(2)}×`, `${speed.toFixed(1)} MB/s`]
    const memory = [megabytes(median(heaps.get(what) ?? [])), megabytes(peakBytes)]
    return [what, megabytes(bytes), ...times, duration(cpuMs), ...memory, String(rounds)]
  })
  return {
    title: `Reading ${size} MB, ${size * objectsPerMegabyte} objects`,
    columns: ['', 'file', 'median', 'ratio', 'speed', 'cpu', 'heap kept', 'peak memory', 'rounds'],
    rows,
  }
}

interface Way {
  readonly what: string
  readonly way: 'js-yaml' | 'lading'
  readonly file: string
  readonly bytes: number
}

async function writeManifests(folder: string, size: number): Promise<Way[]> {
  const objects = largeManifest(size * objectsPerMegabyte)
  const list = { apiVersion: 'v1', kind: 'List', items: objects }
  const write = async (name: string, text: string): Promise<{ file: string; bytes: number }> => {
    const file = join(folder, `${size}-${name}`)
    await writeFile(file, text)
    return { file, bytes: (await stat(file)).size }
  }
  const documents = await write('documents.yaml', writeDocuments(objects))
  return [
    { what: 'js-yaml loadAll, YAML documents', way: 'js-yaml', ...documents },
    { what: 'Lading, YAML documents', way: 'lading', ...documents },
    { what: 'Lading, one YAML List', way: 'lading', ...(await write('list.yaml', writeYaml(list))) },
    { what: 'Lading, one JSON List', way: 'lading', ...(await write('list.json', stringifyJson(list, 2))) },
  ]
}
