import { Option, type Command } from 'commander'
import { context, LadingError } from '../../core/index.ts'
import type { Io } from '../io.ts'

/** Flags that stand in for the name of a new release. */
export interface NameFlags {
  readonly generateName?: boolean
  readonly nameTemplate?: string
}

/** Declares the flags that stand in for the name of a new release. */
export function addNameOptions(command: Command): Command {
  return command
    .option('-g, --generate-name', 'make a name from that of the source and a few letters; give no other')
    .addOption(
      new Option('--name-template <template>', 'make the name with this Go template; give no other').conflicts(
        'generateName',
      ),
    )
}

/** The name and the source of an install, whose words are NAME SOURCE, or SOURCE alone where the name is made. */
export async function nameAndSource(
  io: Io,
  words: readonly [first: string, second?: string],
  flags: NameFlags,
): Promise<{ readonly name: string; readonly source: string }> {
  const [first, second] = words
  const flag = flags.nameTemplate !== undefined ? '--name-template' : '--generate-name'
  if (flags.generateName !== true && flags.nameTemplate === undefined) {
    if (second !== undefined) return { name: first, source: second }
    const message = `only ${first} was given: give a name and a source, or the source with --generate-name`
    throw new LadingError('usage.invalid', message)
  }
  if (second !== undefined) throw new LadingError('usage.invalid', `give either the name ${first} or ${flag}`)
  const { generateReleaseName, templateReleaseName } = await import('../../release/index.ts')
  const name =
    flags.nameTemplate === undefined
      ? generateReleaseName(first, io.cwd)
      : await templateReleaseName(flags.nameTemplate, context({ signal: io.signal }))
  return { name, source: first }
}
