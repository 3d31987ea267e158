import { basename, resolve } from 'node:path'
import { type Context, LadingError, newSeed, randomBelow, seededRandom, toLadingError } from '../../../core/index.ts'
import { runStoppable } from '../../../render/stoppable/index.ts'

/** Leaves room for the rest within the 53 characters that charts count on. */
const longestBase = 47

/** Without vowels and what looks like them, so that no words come about; Kubernetes uses these for `generateName`. */
const letters = 'bcdfghjklmnpqrstvwxz2456789'

/** Makes the name of a new release from that of its source and five random letters, such as `shop-x7k2p`. */
export function generateReleaseName(source: string, cwd = process.cwd()): string {
  const last = source === '-' ? '' : basename(resolve(cwd, source.replace(/@sha\d+:.*$/, '')))
  const base = last
    .replace(/:.*$/, '')
    .replace(/\.(?:tgz|tar\.gz|tar|ya?ml|json)$/i, '')
    .replace(/-v?\d+\.\d+.*$/, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longestBase)
    .replaceAll(/^-+|-+$/g, '')
  const random = seededRandom(newSeed())
  const letter = (): string => letters.charAt(Number(randomBelow(random, BigInt(letters.length))))
  return `${base === '' ? 'release' : base}-${Array.from({ length: 5 }, letter).join('')}`
}

/** Makes the name of a new release with a Go template that has the functions of charts. */
export async function templateReleaseName(template: string, ctx: Context): Promise<string> {
  const { nameJob } = await import('./name-job.ts')
  try {
    return await runStoppable(nameJob, template, ctx)
  } catch (error) {
    if (ctx.signal.aborted) throw error
    throw new LadingError('usage.invalid', `--name-template: ${toLadingError(error).message}`, {}, { cause: error })
  }
}
