import { type Command, InvalidArgumentError } from 'commander'
import { LadingError } from '../../core/index.ts'

const formats = ['table', 'json', 'yaml']

/** Reads what `-o` is given: a format, or for commands that save something, the name of a JSON or YAML file. */
export function formatOrFile(text: string): string {
  return formats.includes(text) || /[^/\\]\.(?:json|ya?ml)$/.test(text) ? text : refuse()
}

/**
 * Takes `-o plan.json` for `--out plan.json` where a command has that option, and prints its data for a person then. Every other
 * command has only formats to choose from.
 */
export function readOutputFile(command: Command): void {
  const { output, out } = command.optsWithGlobals<{ output: string; out?: string }>()
  if (formats.includes(output)) return
  if (!command.options.some(({ long }) => long === '--out')) refuse()
  if (out !== undefined)
    throw new LadingError('usage.invalid', `the file to write is given twice: ${output} and ${out}`)
  command.setOptionValue('out', output)
  for (let each: Command | null = command; each !== null; each = each.parent) {
    if (each.getOptionValue('output') === output) each.setOptionValue('output', 'table')
  }
}

function refuse(): never {
  throw new InvalidArgumentError(`Allowed choices are ${formats.join(', ')}.`)
}
