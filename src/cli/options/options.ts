import { type Command, InvalidArgumentError, Option } from 'commander'
import { type LogLevel, parseDuration as readDuration } from '../../core/index.ts'
import { formatOrFile } from './output-file.ts'

/** How a command prints its data. */
export type OutputFormat = 'table' | 'json' | 'yaml'

/** What every command understands. */
export interface GlobalOptions {
  readonly output: OutputFormat
  readonly logLevel: LogLevel
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
  readonly as?: string
  readonly asGroup?: readonly string[]
}

/** Declares the options that every command understands. */
export function addGlobalOptions(program: Command): Command {
  return program
    .addOption(
      new Option('-o, --output <format>', 'how to print data')
        .choices(['table', 'json', 'yaml'])
        .default('table')
        .argParser(formatOrFile),
    )
    .addOption(
      new Option('--log-level <level>', 'which log lines to write to stderr')
        .choices(['debug', 'info', 'warn', 'error'])
        .default('warn'),
    )
    .option('--kubeconfig <file>', 'kubeconfig to use instead of $KUBECONFIG or ~/.kube/config')
    .option('--context <name>', 'context of the kubeconfig')
    .option('-n, --namespace <name>', 'namespace; defaults to that of the context')
    .option('--as <user>', 'user to impersonate')
    .option('--as-group <group>', 'group to impersonate; may be repeated', collect)
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value]
}

/** Reads a whole number. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number.')
  return Number(text)
}

/** Reads the number of a revision. */
export function revisionNumber(text: string): number {
  const revision = wholeNumber(text)
  if (revision === 0) throw new InvalidArgumentError('revisions are counted from 1.')
  return revision
}

/** Reads a duration such as `90s`, `5m` or `1h30m`; a bare number is seconds. Gives milliseconds. */
export function parseDuration(text: string): number {
  const duration = /^\d+$/.test(text) ? Number(text) * 1000 : readDuration(text)
  if (duration === undefined) throw new InvalidArgumentError('expected a duration such as 90s, 5m or 1h30m.')
  return duration
}
