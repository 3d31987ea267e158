import { context } from '../src/core/index.ts'
import { deleteObject, patchObject } from '../src/kube/index.ts'
import { makeAccount } from './account.ts'
import { plantBystanders } from './bystanders.ts'
import { type Check, checkOf } from './check-release.ts'
import type { SoakCluster } from './clusters.ts'
import type { Version } from './content.ts'
import type { Operation, Round } from './draw-round.ts'
import { startProxy } from './proxy.ts'
import type { References } from './references.ts'
import { openWorld, operationWords, outcomes, type ReleaseWorld, upgradeWords } from './release-world.ts'
import { strike } from './strike.ts'

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
