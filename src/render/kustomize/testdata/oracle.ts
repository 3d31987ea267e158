import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import newerCases from '../oracle-newer-cases.json' with { type: 'json' }

/** A folder of `cases/`: one behaviour of the original, with what the original made of it. */
export interface GoldenCase {
  /** `feature/behaviour`, the folder below `cases/`. */
  readonly name: string
  readonly folder: string
  /** Where below `input/` the kustomization stands. */
  readonly path: string
  /** Which original wrote the expectation: the one in kubectl, or the newer program where they differ. */
  readonly original: 'kubectl' | 'newer'
  /** Words that the original's error has and ours must have too: the file, field or object to look at. */
  readonly mentions: readonly string[]
}

/** What a build came to: its stream of documents, or what was said instead. */
export type Outcome = { readonly yaml: string } | { readonly error: string }

/** A program and the arguments that make it build. */
export type Original = readonly [program: string, subcommand: 'kustomize' | 'build']

/** Which originals wrote the expectations, and what each case looked like then. */
export interface GoldenRecord {
  readonly originals: Readonly<Record<GoldenCase['original'], string>>
  readonly cases: Readonly<Record<string, string>>
}

/** Where the record of the expectations stands. */
export const recordFile = fileURLToPath(new URL('./golden-record.json', import.meta.url))

const newer: Readonly<Record<string, string>> = newerCases
const casesFolder = fileURLToPath(new URL('./cases', import.meta.url))

/** Every golden case, by name. */
export function goldenCases(): GoldenCase[] {
  return readdirSync(casesFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name === 'input')
    .map((entry) => entry.parentPath)
    .filter((folder) => relative(casesFolder, folder).split(sep).length === 2)
    .map((folder): GoldenCase => {
      const name = `${basename(dirname(folder))}/${basename(folder)}`
      return { name, folder, ...caseSettings(folder), original: name in newer ? 'newer' : 'kubectl' }
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** What is stored as the original's outcome of a case. */
export function storedOutcome(folder: string): Outcome | undefined {
  const yaml = readIfThere(join(folder, 'expected.yaml'))
  if (yaml !== undefined) return { yaml }
  const error = readIfThere(join(folder, 'expected-error.txt'))
  return error === undefined ? undefined : { error }
}

/** A digest over every file of a case, expectation included: no hand may change one without the original being asked again. */
export function caseDigest(folder: string): string {
  const hash = createHash('sha256')
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory())
  const paths = entries.map((entry) => ({ path: join(entry.parentPath, entry.name), link: entry.isSymbolicLink() }))
  for (const { path, link } of paths.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const content = link ? readlinkSync(path) : readFileSync(path)
    hash.update(`${relative(folder, path)}\0${link ? 'link' : 'file'}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex').slice(0, 16)
}

/** Runs the original on a folder; `$CASE` stands for the folder in what it says, so that no machine's paths are stored. */
export async function runOriginal(original: Original, folder: string, path: string): Promise<Outcome> {
  // No git on the path and a proxy that nobody answers at: what would need the network fails at once.
  const nowhere = 'http://127.0.0.1:9'
  const env = {
    HOME: '/nonexistent',
    PATH: '/nonexistent',
    KUBECONFIG: '/dev/null',
    HTTPS_PROXY: nowhere,
    HTTP_PROXY: nowhere,
  }
  return new Promise((resolve, reject) => {
    const options = { env, cwd: folder, maxBuffer: 256 * 1024 * 1024 }
    execFile(original[0], [original[1], path], options, (failure, stdout, stderr) => {
      if (failure === null) resolve({ yaml: stdout })
      else if (typeof failure.code === 'number')
        resolve({ error: withoutAddresses(stderr).replaceAll(folder, '$CASE') })
      else reject(failure)
    })
  })
}

/** Does `work` for each item, a few at once, and answers in the order of the items. */
export async function forEachAtOnce<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const pending = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of pending) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

function caseSettings(folder: string): { path: string; mentions: readonly string[] } {
  const text = readIfThere(join(folder, 'case.json')) ?? '{}'
  const { path = '.', mentions = [] } = JSON.parse(text) as { path?: string; mentions?: string[] }
  return { path, mentions }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

// Some of the original's errors print Go pointers, another at each run.
function withoutAddresses(text: string): string {
  return text.replaceAll(/0x[0-9a-f]{6,}/g, '0x…')
}
