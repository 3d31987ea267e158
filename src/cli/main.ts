import { CommanderError } from 'commander'
import { errorTable, LadingError } from '../core/index.ts'
import { differentCode } from './print/differs.ts'
import { guardOutput } from './print/guard-output.ts'
import { type Io, readerGone } from './io.ts'
import { printError } from './print/print-error.ts'
import { createProgram } from './program.ts'

/** Runs one command line and gives its exit code; never throws and never ends the process. */
export async function main(argv: readonly string[], outside: Io): Promise<number> {
  const io = guardOutput(outside)
  const code = await run(argv, io)
  const lost = await io.lostOutput?.()
  // Why a command failed matters more than that some of its words are missing.
  return lost === undefined || code !== 0 ? code : printError(lost, argv, io)
}

async function run(argv: readonly string[], io: Io): Promise<number> {
  const program = createProgram(io)
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return 0
  } catch (error) {
    // 128 and the number of SIGPIPE, as for any program at the head of a pipe.
    if (io.signal.reason === readerGone) return 141
    if (error instanceof CommanderError) return usageExit(error, argv, io)
    return printError(error, argv, io)
  }
}

function usageExit(error: CommanderError, argv: readonly string[], io: Io): number {
  // Commander reports --help and --version as errors with exit code 0, already printed.
  if (error.exitCode === 0) return 0
  // `lading` alone shows the help; that is an answer for a person, and still no command.
  if (error.code === 'commander.help') return errorTable['usage.invalid'].exit
  // Not a failure: the answer is that there are differences, as `diff` itself says it.
  if (error.code === differentCode) return error.exitCode
  const message = withoutValue(error.message.replace(/^error: /, '').replace(/\n(?=\(Did you mean)/, ' '), error.code)
  return printError(new LadingError('usage.invalid', message, {}, { cause: error }), argv, io)
}

// Who writes --password=… where there is no such option must not find it in the log of his pipeline.
function withoutValue(message: string, code: string): string {
  if (code === 'commander.unknownOption') return message.replace(/'(--[^'=]+|-[^-']).*'/, "'$1'")
  return code === 'commander.excessArguments' ? message.replaceAll(/=[^,]*/g, '=…') : message
}
