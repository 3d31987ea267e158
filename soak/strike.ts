import { context } from '../src/core/index.ts'
import type { Account } from './account.ts'
import { checkOutput } from './check-output.ts'
import type { Check } from './check-release.ts'
import type { SoakCluster } from './clusters.ts'
import type { Operation, Round } from './draw-round.ts'
import { armFault, needsProcess } from './faults.ts'
import type { FaultProxy } from './proxy.ts'
import {
  operationWords,
  outcomes,
  type ReleaseWorld,
  upgradeWords,
  writeProxyConfig,
  writeToken,
} from './release-world.ts'
import { type LadingProcess, type Outcome, runInline, startProcess } from './run-lading.ts'

const ctx = context()

/** What came of the command that the fault struck. */
export interface Faulted {
  readonly struck: boolean
  readonly code: number | undefined
  readonly takenOver: boolean
  readonly violations: string[]
}

/** Lets the fault strike, and holds the command to what it said. */
export async function strike(
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
  if (needsProcess(round)) {
    const { variant } = round
    const isOutput = round.fault === 'output-full'
    const full = { stdout: isOutput && variant.includes('stdout'), stderr: isOutput && variant.includes('stderr') }
    running = startProcess(words, { cwd: world.folder, cache: target.cache }, full)
    outcome = await running.ended
  } else outcome = await runInline(words, world.folder)
  proxy.arm()
  await proxy.idle()
  const hidden = round.fault === 'output-full' && round.variant.includes('stderr')
  const violations = checkOutput(outcome, { json: round.json, hidden })
  if (takenOver !== undefined) {
    if (outcome.code === 0 && !takenOver.wasDone) violations.push('a command that lost its lock said that it succeeded')
    violations.push(...(await checkTakenOver(round, world, check)))
  } else if (outcome.code === 0 || round.fault === 'output-full') {
    // Whoever cannot say anything still has to do its work.
    const state = (await check.state(outcomes[round.operation])).filter((each) => each !== lockLeft)
    violations.push(...state.map((each) => `after the command ended with ${outcome.code}: ${each}`))
  }
  await restore(round, world, account)
  return { struck: fault.struck() > 0, code: outcome.code, takenOver: takenOver !== undefined, violations }
}

/** A fault that lasts keeps the command from giving its lock back; whoever comes next removes it. */
const lockLeft = 'Lease/lading.shop is left over'

/**
 * What was on the way may have arrived; nothing of the new revision may be missing or changed. Only an apply that was sent to create an
 * object carries no precondition (ADR 18): what it overwrites has to be shown as drift.
 */
async function checkTakenOver(round: Round, world: ReleaseWorld, check: Check): Promise<string[]> {
  const problems = await check.state('three', { extraAllowed: true })
  if (problems.length === 0 || round.variant !== 'late write') return problems
  const { code, stdout, stderr } = await world.run('drift', 'shop')
  if (code === driftFound) return problems.filter((each) => !each.includes('is not as wanted'))
  return [...problems, `\`lading drift\` does not show it: ${code}, ${stdout}${stderr}`]
}

const driftFound = 2

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
