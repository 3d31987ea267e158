import type { Command } from 'commander'
import { LadingError } from '../../core/index.ts'

/** Refuses flags that were given and that would have no effect: better one sentence than a command that did something else. */
export function refuseFlags(command: Command, flags: readonly string[], reason: string): void {
  const given = flags.find((flag) => isGiven(command, flag))
  if (given === undefined) return
  throw new LadingError('usage.invalid', `${given} has no effect here: ${reason}`, { flag: given })
}

/** Whether a flag, by its long name, stands on the command line. */
export function isGiven(command: Command, flag: string): boolean {
  for (let at: Command | null = command; at !== null; at = at.parent) {
    const option = at.options.find(({ long }) => long === flag)
    if (option !== undefined) return command.getOptionValueSourceWithGlobals(option.attributeName()) === 'cli'
  }
  return false
}
