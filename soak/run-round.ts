import { context } from '../src/core/index.ts'
import { deleteObject, patchObject } from '../src/kube/index.ts'
import { type Account, makeAccount } from './account.ts'
import { type Bystanders, leftoverFiles, plantBystanders } from './bystanders.ts'
import { checkOutput } from './check-output.ts'
import type { SoakCluster } from './clusters.ts'
import type { Version } from './content.ts'
import type { Operation, Round } from './draw-round.ts'
import { armFault, processFaults } from './faults.ts'
import { type FaultProxy, startProxy } from './proxy.ts'
import { comparable, differences, readObjects, recordsOf } from './read-state.ts'
import type { References } from './references.ts'
import {
  openWorld,
  operationWords,
  outcomes,
  type ReleaseWorld,
  writeProxyConfig,
  writeToken,
} from './release-world.ts'
import { type LadingProcess, type Outcome, runInline, startProcess } from './run-lading.ts'

const ctx = context()

/** What a round came to. */
export interface RoundResult {
  readonly round: Round
  readonly struck: boolean
  /** How the command ended that the fault struck. */
  readonly code: number | undefined
  /** What must not be, a sentence each. */
  readonly violations: readonly string[]
}

/** Runs one round: a fault strikes an operation, the next one heals, and everything is as if nothing had happened. */
export async function runRound(target: SoakCluster, references: References, round: Round): Promise<RoundResult> {
  const violations: string[] = []
  let struck = false
  let code: number | undefined
  const world = await openWorld(target, round, `r${round.number}`)
  const proxy = await startProxy(target.upstream)
  const account = round.fault === 'rbac' ? await makeAccount(target, world.namespace) : undefined
  try {
    const check = await prepare(target, references, round, world)
    const faulted = await strike(target, round, world, proxy, account, check)
    struck = faulted.struck
    code = faulted.code
    violations.push(...faulted.violations)
    violations.push(...(await heal(round, world, check, faulted.takenOver ? 'three' : outcomes[round.operation])))
    violations.push(...(await end(world, check)))
  } catch (error) {
    violations.push(error instanceof Error ? error.message : String(error))
  } finally {
    await account?.remove()
    await proxy.close()
    await world.close()
  }
  return { round, struck, code, violations }
}

/** Looks at everything that a round holds to. */
interface Check {
  /** Differences between what is there and a clean install of a version. */
  state(version: Version | undefined, options?: { readonly extraAllowed?: boolean }): Promise<string[]>
  /** The same, with bystanders, history and files. */
  all(version: Version | undefined): Promise<string[]>
}

async function prepare(target: SoakCluster, references: References, round: Round, world: ReleaseWorld): Promise<Check> {
  if (round.neighbour) await world.must('install', 'shop-1', 'neighbour')
  const bystanders = await plantBystanders(target, world.namespace, world.storePath)
  await bringTo(target, world, round.operation)
  return checkOf(target, references, round, world, bystanders)
}

/** Brings the release to where the operation starts from. */
async function bringTo({ cluster }: SoakCluster, world: ReleaseWorld, operation: Operation): Promise<void> {
  if (operation === 'install') return
  await world.must('install', 'shop', 'one')
  if (operation === 'rollback') await world.must('upgrade', 'shop', 'two')
  if (operation === 'apply') await world.must('plan', 'upgrade', 'shop', 'two', '--out', 'plan.json')
  if (operation !== 'drift') return
  const { namespace } = world
  const config = (name: string) => ({ group: '', version: 'v1', kind: 'ConfigMap', namespace, name })
  await deleteObject(cluster, config('staying'), {}, ctx)
  const change = { data: { value: 'of somebody else' } }
  await patchObject(cluster, config('config-0'), change, { type: 'merge', fieldManager: 'somebody' }, ctx)
}

function checkOf(
  { cluster }: SoakCluster,
  references: References,
  round: Round,
  world: ReleaseWorld,
  bystanders: Bystanders,
): Check {
  const { namespace } = world
  const state: Check['state'] = async (version, options) => {
    const wanted = version === undefined ? new Map<string, string>() : await references.of(round, version)
    const objects = await readObjects(cluster, namespace)
    const records = version === undefined ? recordsOf(objects, 'shop').map((id) => `the record ${id} is left over`) : []
    return [...differences(comparable(objects, namespace, bystanders.ids), wanted, options), ...records]
  }
  return {
    state,
    async all(version) {
      const files = await leftoverFiles(world.storePath, namespace, version === undefined)
      // Nobody can know that the process which was killed does not come back to its draft; an hour later it is removed.
      const allowed = round.fault === 'sigkill' ? files.filter((each) => !each.includes('.draft')) : files
      return [
        ...(await state(version)),
        ...(await bystanders.check()),
        ...(await checkHistory(world, version)),
        ...allowed,
      ]
    },
  }
}

async function checkHistory({ store, namespace }: ReleaseWorld, version: Version | undefined): Promise<string[]> {
  const history = await store.history('shop', namespace, ctx)
  const told = history.map((revision) => `${revision.version} ${revision.status}`).join(', ')
  const statuses = history.map(({ status }) => status)
  const isGone = version === undefined
  const problems: string[] = []
  if (statuses.some((status) => status.startsWith('pending') || status === 'unknown')) problems.push('is not healed')
  const deployed = statuses.filter((status) => status === 'deployed').length
  if (deployed !== (isGone ? 0 : 1)) problems.push(`has ${deployed} deployed revisions`)
  if (statuses.at(-1) !== (isGone ? undefined : 'deployed')) problems.push('does not end as it should')
  if (history.some((revision, at) => revision.version !== at + 1)) problems.push('has gaps')
  return problems.map((problem) => `the history (${told}) ${problem}`)
}

interface Faulted {
  readonly struck: boolean
  readonly code: number | undefined
  readonly takenOver: boolean
  readonly violations: string[]
}

/** Lets the fault strike, and holds the command to what it said. */
async function strike(
  target: SoakCluster,
  round: Round,
  world: ReleaseWorld,
  proxy: FaultProxy,
  account: Account | undefined,
  check: Check,
): Promise<Faulted> {
  const kubeconfig = await writeProxyConfig(world.folder, proxy.url, 'first')
  if (account !== undefined) proxy.forwardAs(account.token)
  let running: LadingProcess | undefined
  let takenOver: { readonly wasDone: boolean } | undefined
  const fault = armFault(round, {
    firstToken: 'first',
    storePath: world.storePath,
    process: () => running as LadingProcess,
    renewToken: () => writeToken(world.folder, 'second'),
    revoke: async () => await account?.revoke(),
    grant: async () => await account?.grant(),
    async takeOver() {
      const wasDone = await isDone(world, round.operation)
      await world.must(...upgradeWords(round, 'three'))
      takenOver = { wasDone }
    },
  })
  proxy.arm(fault.gate)
  const words = world.argv([...operationWords(round.operation), ...(round.json ? ['-o', 'json'] : [])], kubeconfig)
  let outcome: Outcome
  if (processFaults.has(round.fault)) {
    const { variant } = round
    const isOutput = round.fault === 'output-full'
    const full = { stdout: isOutput && variant.includes('stdout'), stderr: isOutput && variant.includes('stderr') }
    running = startProcess(words, world.folder, full)
    outcome = await running.ended
  } else outcome = await runInline(words, world.folder)
  proxy.arm()
  await proxy.idle()
  const hidden = round.fault === 'output-full' && round.variant.includes('stderr')
  const violations = checkOutput(outcome, { json: round.json, hidden })
  if (takenOver !== undefined) {
    if (outcome.code === 0 && !takenOver.wasDone) violations.push('a command that lost its lock said that it succeeded')
    // What was on the way may have arrived; nothing of the new revision may be missing or changed.
    violations.push(...(await check.state('three', { extraAllowed: true })))
  } else if (outcome.code === 0 || round.fault === 'output-full') {
    // Whoever cannot say anything still has to do its work.
    const state = await check.state(outcomes[round.operation])
    violations.push(...state.map((each) => `after the command ended with ${outcome.code}: ${each}`))
  }
  await restore(round, world, account)
  return { struck: fault.struck() > 0, code: outcome.code, takenOver: takenOver !== undefined, violations }
}

/** Whether the operation had done its work before another one took over: then it may say so. */
async function isDone({ store, namespace }: ReleaseWorld, operation: Operation): Promise<boolean> {
  const history = await store.history('shop', namespace, ctx)
  if (operation === 'uninstall') return history.length === 0
  const revision = { install: 1, upgrade: 2, rollback: 3, drift: 2, apply: 2 }[operation]
  return history.some(({ version, status }) => version === revision && status === 'deployed')
}

/** What the user has to set right before the next command can work. */
async function restore(round: Round, world: ReleaseWorld, account: Account | undefined): Promise<void> {
  await writeToken(world.folder, 'second')
  if (account !== undefined && round.variant === 'given back too late') await account.grant().catch(() => undefined)
}

/** An ordinary upgrade; whoever meets a field that somebody else changed has to say that it is to be taken back. */
function upgradeWords({ operation }: Round, version: Version): string[] {
  return ['upgrade', 'shop', version, '--install', ...(operation === 'drift' ? ['--force-conflicts'] : [])]
}

/** The next ordinary command; everything has to be sound afterwards. */
async function heal(round: Round, world: ReleaseWorld, check: Check, wanted: Version | undefined): Promise<string[]> {
  const label = (violations: string[]): string[] => violations.map((each) => `after ${round.heal}: ${each}`)
  if (round.heal === 'uninstall' || (wanted === undefined && round.heal === 'again')) {
    await world.must('uninstall', 'shop', '--ignore-not-found')
    return label(await check.all(undefined))
  }
  if (round.heal === 'again') {
    const outcome = await world.run(...operationWords(round.operation))
    const isDone = round.operation === 'install' && /already|exists/.test(outcome.stderr)
    const isRefused = outcome.code !== 0 && !isDone
    // Drift is corrected only where a revision stands.
    const healed = isRefused ? await world.run(...upgradeWords(round, wanted ?? 'one')) : outcome
    const refusal = isRefused && round.operation !== 'drift' ? [`again: ${outcome.stderr.slice(-300)}`] : []
    if (healed.code !== 0 && !isDone) refusal.push(`upgrade: ${healed.stderr.slice(-300)}`)
    return label([...refusal, ...(await check.all(wanted))])
  }
  if (round.heal === 'recover') await world.run('recover', 'shop')
  const version = wanted ?? 'two'
  await world.must(...upgradeWords(round, version))
  return label(await check.all(version))
}

/** The end of every round: an uninstall leaves nothing. */
async function end(world: ReleaseWorld, check: Check): Promise<string[]> {
  await world.must('uninstall', 'shop', '--ignore-not-found')
  return (await check.all(undefined)).map((each) => `after the last uninstall: ${each}`)
}
