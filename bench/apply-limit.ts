// How close applying a set comes to the limit of bare requests:
//   node bench/apply-limit.ts [--kubeconfig FILE] [--context NAME] [--n 1000] [--rounds 5]
import { parseArgs } from 'node:util'
import { type Context, context, type KubeObject } from '../src/core/index.ts'
import { resolveConnection } from '../src/kube/connect/resolve-connection.ts'
import { applySet, type ApplySetOptions, type Connected, connect, deleteObject } from '../src/kube/index.ts'
import { type BareLimit, openBareLimit } from './bare-apply.ts'

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    context: { type: 'string' },
    n: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
  },
})
const count = Number(values.n)
const rounds = Number(values.rounds)
const run = `bench-${Date.now().toString(36)}`
const ctx = context()
const data = { key: 'value', other: 'x'.repeat(64) }

const target = {
  ...(values.kubeconfig !== undefined && { kubeconfig: values.kubeconfig }),
  ...(values.context !== undefined && { context: values.context }),
}
const cluster = await connect(target, ctx)
const bare = await openBareLimit((await resolveConnection(target)).connection, ctx)
const times = new Map<string, Took[]>()
const used: string[] = []
try {
  await measure('warm-up', Math.min(count, 200), new Map())
  for (let round = 0; round < rounds; round++) await measure(`round-${round}`, count, times, round)
  report(times)
} finally {
  // Only now, for the server would go on emptying them beside the measurements.
  for (const name of used) {
    await deleteObject(cluster, { group: '', version: 'v1', kind: 'Namespace', name }, { wait: false }, ctx)
  }
  await bare.close()
  await cluster.close()
}

/** One pass over every way to apply, each in a namespace of its own, first creating the objects, then changing nothing. */
async function measure(name: string, size: number, into: Map<string, Took[]>, shift = 0): Promise<void> {
  const ways = waysToApply(bare, cluster, ctx)
  // Another way comes first in each round, so that drift of the machine hits all alike.
  const turned = [...ways.slice(shift % ways.length), ...ways.slice(0, shift % ways.length)]
  for (const way of turned) {
    const { what } = way
    const namespace = `${run}-${name}-${what.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`
    used.push(namespace)
    await applyAll(cluster, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }], {}, ctx)
    for (const phase of ['create', 'no-op'] as const) {
      const start = performance.now()
      const cpu = process.cpuUsage()
      const created = await way.apply(namespace, size)
      const { user, system } = process.cpuUsage(cpu)
      const took = { ms: performance.now() - start, cpuMs: (user + system) / 1000 }
      if (created !== (phase === 'create' ? size : 0)) throw new Error(`${what}: ${created} created in ${phase}`)
      const key = `${phase} ${what}`
      into.set(key, [...(into.get(key) ?? []), took])
    }
  }
}

interface Took {
  readonly ms: number
  /** Time of this process on a processor: what the engine itself costs, whatever the server takes. */
  readonly cpuMs: number
}

interface Way {
  readonly what: string
  apply(namespace: string, size: number): Promise<number>
}

function waysToApply(limit: BareLimit, to: Connected, within: Context): Way[] {
  const engine = (options: ApplySetOptions) => async (namespace: string, size: number) =>
    await applyAll(to, objects(size), { ...options, namespace }, within)
  return [
    { what: 'bare undici', apply: (namespace, size) => limit.apply(namespace, names(size), data) },
    { what: 'applySet', apply: engine({ preflight: false }) },
    { what: 'applySet with preflight', apply: engine({}) },
  ]
}

function names(size: number): string[] {
  return Array.from({ length: size }, (_, index) => `object-${index}`)
}

function objects(size: number): KubeObject[] {
  return names(size).map((name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }))
}

async function applyAll(
  to: Connected,
  set: readonly KubeObject[],
  options: ApplySetOptions,
  within: Context,
): Promise<number> {
  let created = 0
  for await (const event of applySet(to, set, options, within)) {
    if (event.type === 'object' && event.action === 'created') created++
  }
  return created
}

function report(measured: ReadonlyMap<string, readonly Took[]>): void {
  console.log(`${count} ConfigMaps, ${rounds} rounds, medians`)
  for (const phase of ['create', 'no-op']) {
    const limits = measured.get(`${phase} bare undici`) ?? []
    for (const [key, each] of measured) {
      if (!key.startsWith(`${phase} `)) continue
      // Rounds are compared with themselves: what else the machine does hits both sides of a round.
      const ratios = each.map((took, round) => took.ms / (limits[round]?.ms ?? Number.NaN))
      const wall = each.map((took) => took.ms)
      const cpu = median(each.map((took) => took.cpuMs))
      console.log(
        `${key.padEnd(32)} ${ms(median(wall))}, fastest ${ms(Math.min(...wall))}, cpu ${ms(cpu)}  ` +
          `${median(ratios).toFixed(2)}× bare, fastest ${(Math.min(...wall) / Math.min(...limits.map((took) => took.ms))).toFixed(2)}×`,
      )
    }
  }
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

function ms(time: number): string {
  return `${time.toFixed(0).padStart(6)} ms`
}
