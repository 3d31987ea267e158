import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Which rooms a room may import; the direction of the architecture. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  core: [],
  schema: ['core'],
  net: ['core'],
  kube: ['core', 'schema'],
  oci: ['core', 'schema', 'net'],
  render: ['core', 'schema'],
  sandbox: ['core', 'schema'],
  release: ['core', 'schema', 'net', 'kube', 'oci', 'render'],
  pipeline: ['core', 'schema', 'net', 'kube', 'oci', 'render', 'release'],
  deployment: ['core', 'schema', 'net', 'kube', 'oci', 'render', 'release'],
  flux: ['core', 'schema', 'net', 'kube', 'oci', 'render', 'release', 'deployment'],
  catalog: ['core', 'schema', 'net', 'kube', 'oci', 'render', 'release'],
  gateway: ['core', 'schema', 'net', 'kube', 'oci', 'render', 'release', 'pipeline', 'deployment', 'flux', 'catalog'],
  client: [],
  mcp: ['core', 'schema', 'net', 'kube', 'oci', 'render', 'release', 'pipeline', 'deployment', 'flux', 'catalog'],
  cli: [
    'core',
    'schema',
    'net',
    'kube',
    'oci',
    'render',
    'release',
    'pipeline',
    'flux',
    'catalog',
    'deployment',
    'gateway',
    'client',
    'mcp',
    'sandbox',
  ],
}

/** Files that may import one room more. The sandbox hands out a connected client (ADR 31), and nothing else of it may use one. */
const exceptions: Readonly<Record<string, string>> = { 'sandbox/connect.ts': 'kube' }

/**
 * The stages of the release room, the lowest first: a stage imports none that comes later. What all of them speak of (the engine, the
 * intent, the plan) stands in files of the room itself, which are no stage.
 */
const releaseStages: readonly (readonly string[])[] = [
  ['annotations', 'record', 'storage', 'values'],
  ['diff', 'health', 'hooks', 'lock', 'ownership', 'source'],
  ['plan'],
  ['run'],
]

const importPattern = /\b(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g

/**
 * What a command needs no more: it parses flags, calls a function of the library and prints. Connections, cryptography and databases are
 * the library's, so that the gateway and other faces have them too.
 */
const forbiddenInCli: readonly RegExp[] = [
  /^(?:node:)?(?:http|https|http2|net|tls|dns|dgram|crypto|sqlite|zlib|worker_threads|child_process)(?:\/|$)/,
  /^undici(?:\/|$)/,
]

const packagePattern = /\b(?:from|import)\s*\(?\s*['"]([^./'"][^'"]*)['"]/g

/** Reads every source file below `root` (a `src` folder) and says which imports break the architecture, a sentence each. */
export function boundaryViolations(root: string): string[] {
  return sourceFiles(root).flatMap((file) => fileViolations(root, file))
}

function fileViolations(root: string, file: string): string[] {
  const isTest = file.endsWith('.test.ts')
  const text = readFileSync(file, 'utf8')
  const found: string[] = []
  for (const match of text.matchAll(importPattern)) {
    const target = resolve(dirname(file), match[1] ?? '')
    const problem = importProblem(root, file, target, isTest) ?? (isTest ? undefined : stageProblem(root, file, target))
    if (problem !== undefined) found.push(`${relative(dirname(root), file)}: ${problem}`)
  }
  if (roomOf(root, file) === 'cli' && !isTest) {
    for (const name of packagesOf(text).filter(isForbiddenInCli)) {
      found.push(`${relative(dirname(root), file)}: cli must not import ${name}: what needs it belongs to the library`)
    }
  }
  return found
}

function packagesOf(text: string): string[] {
  return [...text.matchAll(packagePattern)].map(([, name = '']) => name)
}

function isForbiddenInCli(name: string): boolean {
  return forbiddenInCli.some((pattern) => pattern.test(name))
}

function importProblem(root: string, file: string, target: string, isTest: boolean): string | undefined {
  const from = roomOf(root, file)
  const to = roomOf(root, target)
  if (to === undefined) {
    // Tests may use the testbed; what ships may not leave src.
    return isTest || !relative(root, target).startsWith('..') ? undefined : `imports ${target}, which is outside of src`
  }
  if (from === to || from === undefined) return undefined
  const rights = allowed[from]
  if (rights === undefined) return `${from} is not a room of the architecture`
  const isException = exceptions[relative(root, file).replaceAll(sep, '/')] === to
  if (!isTest && !isException && !rights.includes(to)) return `${from} must not import ${to}`
  // A room's door is its root index.ts; rooms with several doors (render/kustomize, kube/contract) have one a folder.
  if (!target.endsWith(`${sep}index.ts`)) {
    return `enters ${to} by ${relative(root, target)} instead of its door, an index.ts`
  }
  return undefined
}

function stageProblem(root: string, file: string, target: string): string | undefined {
  const [from, to] = [file, target].map((path) => {
    const [room, folder = ''] = relative(root, path).split(sep)
    return room === 'release' ? releaseStages.findIndex((stage) => stage.includes(folder)) : -1
  })
  if (from === undefined || to === undefined || from < 0 || to <= from) return undefined
  return `imports ${relative(root, target)}, a later stage of the room`
}

function roomOf(root: string, file: string): string | undefined {
  const path = relative(root, file)
  if (path.startsWith('..')) return undefined
  const [room, ...rest] = path.split(sep)
  return rest.length > 0 ? room : undefined
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes(`${sep}testdata${sep}`))
    .sort()
}

if (import.meta.main) {
  const violations = boundaryViolations(fileURLToPath(new URL('../src', import.meta.url)))
  for (const violation of violations) console.error(violation)
  process.exitCode = violations.length > 0 ? 1 : 0
}
