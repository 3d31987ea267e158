// Random rounds of faults against a sandbox or a real API server; see docs/faults.md.
import { parseArgs } from 'node:util'
import { type ClusterKind, openCluster } from './clusters.ts'
import { type FaultKind, faultKinds } from './draw-round.ts'
import { formatReport, reportOf, violationsOf } from './report.ts'
import { runSoak } from './run-soak.ts'

const usage = `usage: npm run soak -- [--rounds 1000] [--seed N] [--round K] [--only FAULT[,FAULT]] [--cluster sandbox|real]
                    [--kubeconfig FILE] [--parallel 4] [--output table|json]
faults: ${faultKinds.join(', ')}
`

process.exitCode = await main()

async function main(): Promise<number> {
  const options = readOptions()
  if (options === undefined) {
    process.stderr.write(usage)
    return 2
  }
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
  const { seed, cluster, output } = options
  process.stderr.write(`soak: seed ${seed}\n`)
  const target = await openCluster(cluster, options.kubeconfig)
  try {
    const progress = (line: string): void => void process.stderr.write(`soak: ${line}\n`)
    const results = await runSoak(target, { ...options, progress, signal: interrupted.signal })
    const rows = reportOf(cluster, results)
    const violations = violationsOf(cluster, results)
    const table = `${formatReport(rows)}\n${violations.map(({ round }) => `\nviolation: ${round}`).join('')}\n`
    process.stdout.write(output === 'json' ? `${JSON.stringify({ seed, rows, violations }, undefined, 2)}\n` : table)
    if (interrupted.signal.aborted) return 130
    return violations.length > 0 ? 1 : 0
  } finally {
    await target.close()
  }
}

interface Options {
  readonly seed: number
  readonly rounds: readonly number[]
  readonly only: readonly FaultKind[]
  readonly cluster: ClusterKind
  readonly kubeconfig: string | undefined
  readonly parallel: number
  readonly output: 'table' | 'json'
}

/** Reads the command line; undefined where it is not one. */
function readOptions(): Options | undefined {
  const values = parseFlags()
  if (values === undefined) return undefined
  const { cluster = 'sandbox', output = 'table', kubeconfig } = values
  const only = values.only === undefined ? faultKinds : values.only.split(',')
  const numbers = [values.rounds ?? '1000', values.seed ?? String(Date.now() % 1_000_000), values.parallel ?? '4']
  const [rounds = 0, seed = 0, parallel = 0] = numbers.map(Number)
  const one = values.round === undefined ? undefined : Number(values.round)
  const counts = [rounds, parallel, seed + 1, (one ?? 0) + 1]
  if (!counts.every((count) => Number.isInteger(count) && count > 0)) return undefined
  if (!only.every((name): name is FaultKind => faultKinds.some((kind) => kind === name))) return undefined
  if ((cluster !== 'sandbox' && cluster !== 'real') || (output !== 'table' && output !== 'json')) return undefined
  const all = one === undefined ? Array.from({ length: rounds }, (_, at) => at) : [one]
  return { seed, rounds: all, only, cluster, kubeconfig, parallel, output }
}

function parseFlags() {
  const text = { type: 'string' } as const
  const options = { rounds: text, seed: text, round: text, only: text, cluster: text } as const
  try {
    return parseArgs({ options: { ...options, kubeconfig: text, parallel: text, output: text } }).values
  } catch {
    return undefined
  }
}
