import { randomInt } from 'node:crypto'
import { basename, resolve } from 'node:path'
import { Option, type Command } from 'commander'
import { context, LadingError, toLadingError } from '../../core/index.ts'
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
  const name = flags.nameTemplate === undefined ? generateName(io, first) : await templatedName(io, flags.nameTemplate)
  return { name, source: first }
}

/** As many as leave room for the rest within the 53 characters that charts count on. */
const longestBase = 47

/** `shop-x7k2p`: what the source is called, and letters as Kubernetes makes them up for `generateName`. */
function generateName(io: Io, source: string): string {
  const last = source === '-' ? '' : basename(resolve(io.cwd, source.replace(/@sha\d+:.*$/, '')))
  const base = last
    .replace(/:.*$/, '')
    .replace(/\.(?:tgz|tar\.gz|tar|ya?ml|json)$/i, '')
    .replace(/-v?\d+\.\d+.*$/, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longestBase)
    .replaceAll(/^-+|-+$/g, '')
  return `${base === '' ? 'release' : base}-${Array.from({ length: 5 }, letter).join('')}`
}

/** Without vowels and what looks like them, so that no words come about. */
const letters = 'bcdfghjklmnpqrstvwxz2456789'

function letter(): string {
  return letters.charAt(randomInt(letters.length))
}

async function templatedName(io: Io, template: string): Promise<string> {
  const [{ nameJob }, { runStoppable }] = await Promise.all([
    import('./name-job.ts'),
    import('../../render/stoppable/index.ts'),
  ])
  try {
    return await runStoppable(nameJob, template, context({ signal: io.signal }))
  } catch (error) {
    if (io.signal.aborted) throw error
    throw new LadingError('usage.invalid', `--name-template: ${toLadingError(error).message}`, {}, { cause: error })
  }
}
