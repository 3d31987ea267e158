import type { Command } from 'commander'

/** How `main` knows an answer of "different" from a failure. */
export const differentCode = 'lading.different'

/** Ends a command with the exit code 2, which says that its data has differences. */
export function endDifferent(command: Command): never {
  return command.error('', { exitCode: 2, code: differentCode })
}
