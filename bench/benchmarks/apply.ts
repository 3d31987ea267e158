import { type KubeObject, refOf } from '../../src/core/index.ts'
import { waitForReady } from '../../src/kube/index.ts'
import type { BenchContext, Benchmark, Table } from '../benchmark.ts'
import { mixedSet } from '../fixtures/object-sets.ts'
import { writeSet } from '../fixtures/write-set.ts'
import { runProcess } from '../measure/run-process.ts'
import { Series, turned } from '../measure/series.ts'
import { timeTable } from '../measure/time-table.ts'
import { openSetTools, type Phase, phases, type SetTool } from './set-tools.ts'

/** The life of a set of objects, with each of the tools. */
export const applyBenchmark: Benchmark = {
  name: 'apply',
  compares:
    'installing, diffing, changing and deleting mixed objects: bare undici, Lading, kubectl, helm, as processes',
  run,
}

const titles: Readonly<Record<Phase, string>> = {
  install: 'first install',
  'no-op': 'again, nothing changed',
  diff: 'what a change of one field in every object would do, asked of the server',
  upgrade: 'one field changed in every object',
  delete: 'deleted',
}

async function run(bench: BenchContext): Promise<Table[]> {
  const tools = await openSetTools(bench)
  bench.progress('warming up')
  await measureSets(bench, tools, 14, 1)
  const tables: Table[] = []
  for (const size of bench.sizes ?? [100, 1000, 5000]) {
    tables.push(...(await measureSets(bench, tools, size, bench.rounds ?? defaultRounds(size))))
  }
  return tables
}

function defaultRounds(size: number): number {
  if (size <= 100) return 5
  return size <= 1000 ? 3 : 1
}

/** Leads a set of objects through its life with each of the tools, round by round. */
export async function measureSets(
  bench: BenchContext,
  tools: readonly SetTool[],
  size: number,
  rounds: number,
): Promise<Table[]> {
  const sets = { first: await writeSet(bench.folder, size, 1), second: await writeSet(bench.folder, size, 2) }
  const series = new Map(phases.map((phase) => [phase, new Series()]))
  const within = new Map(phases.map((phase) => [phase, new Series()]))
  for (let round = 0; round < rounds; round++) {
    for (const tool of turned(tools, round)) {
      const namespace = await bench.freshNamespace()
      let broken: string | undefined
      for (const phase of phases) {
        const set = phase === 'diff' || phase === 'upgrade' ? sets.second : sets.first
        const steps = tool.steps(phase, { ...set, namespace, size })
        for (const step of steps) {
          bench.progress(`${size} objects, round ${round + 1} of ${rounds}: ${step.what}`)
          const outcome =
            broken === undefined
              ? await runProcess(step.command, bench.ctx.signal)
              : { failure: `not tried: ${broken} failed` }
          if ('failure' in outcome) {
            // A peer that cannot do it is a result of the bench; Lading or the limit failing is an error of it.
            if (!tool.peer) throw new Error(`${step.what}: ${outcome.failure}`)
            broken ??= phase
          } else {
            step.check?.(outcome.stdout)
            if (step.inProcess !== undefined)
              within.get(phase)?.record(step.what, round, step.inProcess(outcome.stdout))
          }
          series.get(phase)?.record(step.what, round, outcome)
        }
        // A tool that does nothing with a set of this size has made nothing that could be waited for.
        if (steps.length > 0 && broken === undefined && phase !== 'delete') await settle(bench, namespace, size)
      }
    }
  }
  return phases.flatMap((phase) => {
    const title = `${size} objects: ${titles[phase]}`
    const table = timeTable(title, series.get(phase) ?? new Series(), { objects: size })
    const own = within.get(phase) ?? new Series()
    // The limit alone is compared to nothing.
    if (own.rowNames().length < 2) return [table]
    return [table, timeTable(`${title}, without the start of the program`, own, { objects: size })]
  })
}

/** Lets the controllers see the Deployments, so that no tool meets the aftermath of its own last step or of another's. */
async function settle(bench: BenchContext, namespace: string, size: number): Promise<void> {
  const { cluster, workloads } = await bench.target()
  if (!workloads) return
  const isDeployment = ({ kind }: KubeObject): boolean => kind === 'Deployment'
  const refs = mixedSet(size, 1)
    .filter(isDeployment)
    .map((object) => ({ ...refOf(object), namespace }))
  for await (const _ of waitForReady(cluster, refs, { timeoutMs: 600_000 }, bench.ctx));
}
