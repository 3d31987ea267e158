import { isRecord, LadingError } from '../core/index.ts'
import type { Approval } from '../pipeline/index.ts'
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
  return readApproval(parseYamlValue(await readText(io, pathFrom(io, approve)), { file: approve }), approve)
}

/** Whoever approves sees the plan first; what they say holds for that plan alone. */
export async function approvalFor(io: Io, plan_hash: string, text: string, approver: Approver): Promise<Approval> {
  const at = new Date().toISOString()
  if (approver === 'auto') return { plan_hash, decision: 'approve', by: 'auto', at }
  if (approver !== undefined && approver !== 'prompt') return approver
  io.stderr.write(text)
  if (approver === undefined && io.stderr.isTTY !== true) {
    const problem = `the plan ${plan_hash} needs an approval: give --approve auto, or --approve FILE`
    throw new LadingError('approval.denied', problem, { plan_hash })
  }
  const answer = await askLine(io, 'Apply this plan? Only "yes" does it: ')
  const decision = answer === 'yes' ? 'approve' : 'deny'
  return { plan_hash, decision, by: io.env['USER'] ?? 'prompt', at }
}

/** An approval as its file says it. */
export function readApproval(value: unknown, file: string): Approval {
  const { plan_hash, decision, by, at, signatures } = isRecord(value) ? value : {}
  if (typeof plan_hash !== 'string' || typeof by !== 'string' || (decision !== 'approve' && decision !== 'deny')) {
    const problem = `${file} is no approval: it needs plan_hash, by, and decision (approve or deny)`
    throw new LadingError('config.invalid', problem, { file })
  }
  const signed = Array.isArray(signatures) ? signatures.filter((each) => typeof each === 'string') : []
  const more = signed.length === 0 ? {} : { signatures: signed }
  return { plan_hash, decision, by, at: typeof at === 'string' ? at : '', ...more }
}
