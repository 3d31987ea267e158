import { errorTable, stringifyJson, toLadingError } from '../../core/index.ts'
import type { Io } from '../io.ts'
import { paint } from './colour.ts'
import { failureSummary } from './failure-summary.ts'
import { printLine } from './print-line.ts'

/** Prints a failure on stderr, as one sentence and the next step, or as JSON when data was asked for as JSON; gives the exit code. */
export function printError(failure: unknown, argv: readonly string[], io: Io): number {
  const error = toLadingError(failure)
  if (wantsJson(argv)) {
    io.stderr.write(`${stringifyJson({ error })}\n`)
  } else {
    const red = paint(io.stderr, io.env)
    printLine(io.stderr, `${red('error:', 'red')} ${error.message}`)
    for (const line of failureSummary(error, red)) printLine(io.stderr, line)
    io.stderr.write(`${red('next:', 'dim')} ${errorTable[error.code].next}\n`)
  }
  return errorTable[error.code].exit
}

// The command line may be what is wrong, so it is looked at as text.
function wantsJson(argv: readonly string[]): boolean {
  return argv.some((word, index) => {
    if (word === '-ojson' || word === '-o=json' || word === '--output=json') return true
    return (word === '-o' || word === '--output') && argv[index + 1] === 'json'
  })
}
