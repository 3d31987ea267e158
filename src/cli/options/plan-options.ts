import { delimiter } from 'node:path'
import type { Command } from 'commander'
import { pathFrom } from '../connect.ts'
import type { Io } from '../io.ts'
import { collect, parseDuration } from './options.ts'
import { readText } from '../files/read-text.ts'

/** Whose signatures plans need. */
export interface PlanKeyFlags {
  readonly verifyPlan?: readonly string[]
}

/** Declares how long a plan can be applied. */
export function addExpiryOption(command: Command): Command {
  return command.option('--expires <duration>', 'how long the plan can be applied (default: 24h)', parseDuration)
}

/** Declares the keys of which one has to have signed a plan. */
export function addPlanKeyOption(command: Command): Command {
  return command.option(
    '--verify-plan <file>',
    'public key, in PEM; a plan that none of them signed is refused; may be repeated (default: those of $LADING_VERIFY_PLAN)',
    collect,
  )
}

/** The keys of which one has to have signed a plan; none where nobody asks for it. */
export async function readPlanKeys(io: Io, { verifyPlan }: PlanKeyFlags): Promise<string[]> {
  const named = (io.env['LADING_VERIFY_PLAN'] ?? '').split(delimiter).filter((file) => file !== '')
  return await Promise.all((verifyPlan ?? named).map((file) => readText(io, pathFrom(io, file))))
}
