// Side by side in one run, against one control plane; see docs/benchmarks.md.
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { context } from '../src/core/index.ts'
import type { Benchmark } from './benchmark.ts'
import { describeMachine, describeVersions } from './describe-run.ts'
import { type BenchmarkResult, formatResults, formatTable } from './format-results.ts'
import { type OpenBench, openBench } from './open-bench.ts'
import { benchmarks } from './registry.ts'

const usage = `usage: npm run bench -- [--only NAME[,NAME]] [--sizes 100,1000] [--rounds R] [--kubeconfig FILE] [--out FILE]
benchmarks:
${benchmarks.map(({ name, compares }) => `  ${name.padEnd(12)} ${compares}`).join('\n')}
`

process.exitCode = await main()

async function main(): Promise<number> {
  const options = readOptions()
  if (options === undefined) {
    process.stderr.write(usage)
    return 2
  }
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => interrupted.abort(new Error('interrupted')))
  }
  const ctx = context({ signal: interrupted.signal })
  const machine = describeMachine()
  const bench = await openBench(options, ctx)
  try {
    const results: BenchmarkResult[] = []
    for (const benchmark of options.chosen) {
      results.push(await runOne(benchmark, bench))
      if (interrupted.signal.aborted) return 130
    }
    const versions = await describeVersions(bench.clients, await bench.usedTarget(), ctx)
    const about = [...versions, ...machine, describeOptions(options)]
    process.stdout.write(`${about.join('\n')}\n`)
    if (options.out !== undefined) await writeFile(options.out, formatResults(about, results))
    return results.some(({ error }) => error !== undefined) ? 1 : 0
  } finally {
    await bench.close()
  }
}

/** Runs one benchmark, shows its tables, and leaves the cluster as it was; one that fails does not keep the others from running. */
async function runOne(benchmark: Benchmark, bench: OpenBench): Promise<BenchmarkResult> {
  bench.progress(`${benchmark.name}: ${benchmark.compares}`)
  let result: BenchmarkResult
  try {
    result = { benchmark, tables: await benchmark.run(bench) }
  } catch (error) {
    result = { benchmark, tables: [], error: error instanceof Error ? error.message : String(error) }
  }
  for (const table of result.tables) process.stdout.write(`${formatTable(table)}\n`)
  if (result.error !== undefined) process.stderr.write(`bench: ${benchmark.name} failed: ${result.error}\n`)
  await bench.removeNamespaces()
  return result
}

function describeOptions({ chosen, sizes, rounds }: Options): string {
  const names = chosen.map(({ name }) => name).join(', ')
  return `Benchmarks: ${names}; sizes: ${sizes?.join(', ') ?? 'default'}; rounds: ${rounds ?? 'default'}`
}

interface Options {
  readonly chosen: readonly Benchmark[]
  readonly sizes: readonly number[] | undefined
  readonly rounds: number | undefined
  readonly kubeconfig: string | undefined
  readonly out: string | undefined
}

/** Reads the command line; undefined where it is not one. */
function readOptions(): Options | undefined {
  const values = parseFlags()
  if (values === undefined) return undefined
  const names = values.only?.split(',')
  const sizes = values.sizes?.split(',').map(Number)
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
  const known = names?.every((wanted) => benchmarks.some(({ name }) => name === wanted)) ?? true
  const counts = [...(sizes ?? []), ...(rounds === undefined ? [] : [rounds])]
  if (!known || !counts.every((count) => Number.isInteger(count) && count > 0)) return undefined
  // Results of a part must not replace those of the whole.
  const whole = names === undefined ? fileURLToPath(new URL('RESULTS.md', import.meta.url)) : undefined
  const chosen = benchmarks.filter(({ name }) => names?.includes(name) ?? true)
  return { chosen, sizes, rounds, kubeconfig: values.kubeconfig, out: values.out ?? whole }
}

function parseFlags() {
  const text = { type: 'string' } as const
  try {
    return parseArgs({ options: { only: text, sizes: text, rounds: text, kubeconfig: text, out: text } }).values
  } catch {
    return undefined
  }
}
