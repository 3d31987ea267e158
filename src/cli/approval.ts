import { LadingError } from '../core/index.ts'
import type { PlannedDeploy } from '../pipeline/index.ts'
import type { Approval } from '../release/index.ts'
import { askLine } from './ask-line.ts'
import { pathFrom } from './connect.ts'
import type { Io } from './io.ts'
import { readText } from './files/read-text.ts'

/** Who approves a plan: nobody asked, whoever types, or a file. */
export type Approver = 'auto' | 'prompt' | Approval | undefined

/** What `--approve` says; a file is read. */
export async function approverOf(io: Io, approve: string | undefined): Promise<Approver> {
  if (approve === undefined || approve === 'auto' || approve === 'prompt') return approve
  const { parseYamlValue } = await import('../core/yaml/index.ts')
  const { readApproval } = await import('../release/index.ts')
  return readApproval(parseYamlValue(await readText(io, pathFrom(io, approve)), { file: approve }), approve)
}

/** Whoever approves sees the plan first; what they say holds for that plan alone. */
export async function approvalFor(
  io: Io,
  planned: Pick<PlannedDeploy, 'plan_hash' | 'text' | 'unchanged'>,
  approver: Exclude<Approver, Approval>,
): Promise<Approval> {
  const { plan_hash } = planned
  const at = new Date().toISOString()
  if (approver === 'auto') return { plan_hash, decision: 'approve', by: 'auto', at }
  io.stderr.write(planText(planned))
  if (approver === undefined && io.stderr.isTTY !== true) {
    const problem = `the plan ${plan_hash} needs an approval: give --approve auto, or --approve FILE`
    throw new LadingError('approval.denied', problem, { plan_hash })
  }
  const answer = await askLine(io, 'Apply this plan? Only "yes" does it: ')
  const decision = answer === 'yes' ? 'approve' : 'deny'
  return { plan_hash, decision, by: io.env['USER'] ?? 'prompt', at }
}

/** A plan for people to read, with the hash that an approval names. */
export function planText({
  text,
  plan_hash,
  unchanged,
}: Pick<PlannedDeploy, 'plan_hash' | 'text' | 'unchanged'>): string {
  return unchanged ? text : `${text}plan ${plan_hash}\n`
}
