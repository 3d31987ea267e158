import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual, parseArgs, promisify } from 'node:util'
import { connect } from '../src/kube/index.ts'
import { context } from '../src/core/index.ts'
import { startTestbed } from '../testbed/index.ts'
import { npmClients } from '../testbed/npm-clients.ts'
import { type Revision, exportRevisions } from './helm-comparison/export-chart.ts'
import { firstDifference } from './helm-comparison/first-difference.ts'
import { clearCluster, type Snapshot, takeBaseline, takeSnapshot } from './helm-comparison/snapshot.ts'

const usage = `Releases public charts with helm and with Lading on a real control plane and compares what came of it:
  node scripts/compare-helm-installs.ts --work FOLDER [--only TEXT] [--values FOLDER] CHART...
Each CHART is GIT_FOLDER:PATH[@FROM..TO]: a chart in a git repository. FROM and TO name commits or tags; without them TO is the newest
commit and FROM the last one before in which the chart had another version. Both install FROM, upgrade to TO, roll back and uninstall, one
after the other in a namespace of the same name. After each step the objects, the records and the outcome of hooks have to be the same.
Dependencies are looked for in all repositories that are named; rows that cannot be had are left out for both.
FOLDER/NAME.yaml gives values for the chart NAME.`

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { work: { type: 'string' }, only: { type: 'string' }, values: { type: 'string' } },
})
if (flags.work === undefined || positionals.length === 0) {
  console.error(usage)
  process.exit(2)
}
const execute = promisify(execFile)
const work = resolve(flags.work)
const ctx = context()
const clients = await npmClients()
if (clients === undefined) throw new Error('there is no helm for this machine')
const { helm } = clients
const testbed = await startTestbed()
const cluster = await connect({ kubeconfig: testbed.kubeconfig }, ctx)
const tally = { same: 0, different: 0, 'refused by both': 0 }
try {
  const wanted = positionals.filter((text) => flags.only === undefined || text.includes(flags.only))
  for (const text of wanted) {
    const { likeness, problems } = await compareChart(text).catch((error: unknown) => ({
      likeness: 'different' as const,
      problems: [`not compared: ${String(error)}`],
    }))
    tally[likeness] += 1
    console.log(`${likeness}: ${text.replace(/^.*\/([^/]+)\/repo:/, '$1 ')}`)
    for (const problem of problems) console.log(`  ${problem}`)
  }
  console.log(
    Object.entries(tally)
      .map(([likeness, count]) => `${count} ${likeness}`)
      .join(', '),
  )
} finally {
  await cluster.close()
  await testbed.stop()
}

interface Comparison {
  readonly likeness: keyof typeof tally
  readonly problems: readonly string[]
}

/** What both have done to the same chart; gives the differences. */
async function compareChart(text: string): Promise<Comparison> {
  const { name, from, to } = await exportRevisions(text, positionals, work)
  const namespace = `compared-${name}`.slice(0, 40)
  const baseline = await takeBaseline(cluster, ctx)
  const theirs = await live('helm', namespace, from, to)
  const ours = await live('lading', namespace, from, to)
  await mkdir(join(work, 'snapshots'), { recursive: true })
  await writeFile(join(work, 'snapshots', `${name}.json`), JSON.stringify({ theirs, ours }, undefined, 1))
  const random = await isRandom(name, namespace, from, to)
  // Where neither can install, helm has written a part before it failed, and Lading nothing.
  if (theirs[0]?.failed === true && ours[0]?.failed === true) return { likeness: 'refused by both', problems: [] }
  const problems = theirs.flatMap((step, index) => {
    const other = ours[index]
    if (other === undefined || isDeepStrictEqual(step, other)) return []
    return firstDifference(step, other, random).map((problem) => `${step.step} (helm | lading): ${problem}`)
  })
  return { likeness: problems.length === 0 ? 'same' : 'different', problems }

  async function live(side: 'helm' | 'lading', home: string, first: Revision, second: Revision): Promise<Snapshot[]> {
    await kubectl('create', 'namespace', home)
    const steps: Snapshot[] = []
    const step = async (label: string, ...args: string[]): Promise<void> => {
      const failure = await run(side, home, args)
      steps.push(await takeSnapshot(cluster, baseline, home, { step: label, failed: failure !== undefined }, ctx))
      if (failure !== undefined) console.error(`  ${side} ${label}: ${failure.slice(0, 600)}`)
    }
    const values = await valuesOf(name)
    await step(`install ${first.version}`, 'install', 'compared', first.folder, ...values)
    await step(`upgrade to ${second.version}`, 'upgrade', 'compared', second.folder, ...values)
    await step('rollback', 'rollback', 'compared', '1')
    await step('uninstall', 'uninstall', 'compared')
    await clearCluster(cluster, baseline, home, ctx)
    return steps
  }
}

async function run(side: 'helm' | 'lading', namespace: string, args: readonly string[]): Promise<string | undefined> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: work, KUBECONFIG: testbed.kubeconfig }
  const limit = ['--timeout', '2m']
  try {
    if (side === 'helm') await execute(helm, [...args, '-n', namespace, ...limit], { env, maxBuffer: 1 << 28 })
    else {
      const lading = [join(import.meta.dirname, '../bin/lading'), ...args, '-n', namespace, '--storage', 'helm']
      await execute(process.execPath, [...lading, ...limit], { env, maxBuffer: 1 << 28 })
    }
    return undefined
  } catch (error) {
    return (error as { stderr?: string }).stderr ?? String(error)
  }
}

async function valuesOf(name: string): Promise<string[]> {
  if (flags.values === undefined) return []
  const file = join(resolve(flags.values), `${name}.yaml`)
  return existsSync(file) ? ['-f', file] : []
}

/** Whether two renderings of helm differ: in passwords, keys and what is made of them. */
async function isRandom(name: string, namespace: string, ...revisions: Revision[]): Promise<boolean> {
  const values = await valuesOf(name)
  for (const { folder } of revisions) {
    const render = async (): Promise<string> => {
      const args = ['template', 'compared', folder, '-n', namespace, ...values]
      return await execute(helm, args, { maxBuffer: 1 << 28 }).then(
        ({ stdout }) => stdout,
        () => '',
      )
    }
    if ((await render()) !== (await render())) return true
  }
  return false
}

async function kubectl(...args: string[]): Promise<void> {
  if (clients === undefined) return
  await execute(clients.kubectl, args, { env: { PATH: '', KUBECONFIG: testbed.kubeconfig } })
}
