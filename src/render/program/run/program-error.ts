import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defined, LadingError } from '../../../core/index.ts'
import { deniedCode } from '../child/denial.ts'
import type { ProgramFailure, ValueIssue } from '../child/messages.ts'
import { ownFolder } from '../place.ts'

/** A program, as errors name it. */
export interface NamedProgram {
  /** The path as the user gave it. */
  readonly path: string
  /** The real path. */
  readonly file: string
}

/** The failure of a program as one sentence with the line of the program that it comes from. */
export function failureError(program: NamedProgram, failure: ProgramFailure): LadingError {
  const place = placeOf(program, failure)
  const at = place === undefined ? program.path : `${place.file}:${place.line}`
  const details = { file: place?.file ?? program.path, ...defined({ line: place?.line }) }
  const denied = deniedText(program, failure)
  if (denied !== undefined) return new LadingError('program.denied', `${at}: ${denied}`, details)
  const { name, message } = failure
  const what =
    name === 'Error' || name === 'TypeError' ? message || 'it failed without a message' : `${name}: ${message}`
  return new LadingError('program.failed', `${at}: ${withoutPlaces(what)}${hintOf(message)}`, details)
}

function hintOf(message: string): string {
  if (!/Cannot use import statement outside a module|Unexpected token 'export'/.test(message)) return ''
  return ': package.json says that it is no ES module, so set "type": "module" there, or name it .mts or .mjs'
}

/** A program that used up what it may use. */
export function limitError({ path }: NamedProgram, problem: string): LadingError {
  return new LadingError('program.limit', `${path} ${problem}`, { file: path })
}

/** A program that ended before it had given its objects. */
export function exitError({ path }: NamedProgram, code: number): LadingError {
  const problem =
    code === 13 || code === 0
      ? 'ended before it gave its objects: it called process.exit, or waits for something that never comes'
      : `ended itself with code ${code} before it gave its objects`
  return new LadingError('program.failed', `${path} ${problem}`, { file: path })
}

/** Values that the schema of a program refuses, each with its field and who gave it. */
export function valuesError(
  { path }: NamedProgram,
  issues: readonly ValueIssue[],
  givenBy: (field: string) => string | undefined,
): LadingError {
  const lines = issues.map((issue) => {
    const field = fieldOf(issue.path)
    const origin = givenBy(field)
    return `${field === '' ? 'values' : field}: ${issue.message}${origin === undefined ? '' : ` (given by ${origin})`}`
  })
  const field = fieldOf(issues[0]?.path ?? [])
  const problem = `the values do not fit ${path}: ${lines.join('; ')}`
  return new LadingError('values.invalid', problem, { file: path, field })
}

function fieldOf(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? step : `${text}.${step}`
  }, '')
}

const wishes: Readonly<Record<string, string>> = {
  ChildProcess: 'it starts another program',
  WorkerThreads: 'it starts a thread',
  Addon: 'it loads a native addon',
  Inspector: 'it opens the inspector',
  WASI: 'it uses WASI',
  Net: 'it uses the network, which is not allowed',
}

function deniedText({ path }: NamedProgram, { code, message, permission = '', resource }: ProgramFailure) {
  if (code === deniedCode) return message
  if (code === 'ERR_DLOPEN_DISABLED') return wishes['Addon']
  if (code !== 'ERR_ACCESS_DENIED') return undefined
  const name = resource === undefined || resource === '' ? 'files' : resource
  if (permission === 'FileSystemRead') {
    return `it reads ${name}, which is outside of the package of ${path}`
  }
  if (permission === 'FileSystemWrite') return `it writes ${name}, and a program writes no files`
  return wishes[permission] ?? `it may not do that (${permission === '' ? message : permission})`
}

/** The first place of the program itself in a stack; not of packages, of Node, or of what Lading runs it with. */
function placeOf({ path, file }: NamedProgram, { stack = '' }: ProgramFailure) {
  const folder = dirname(file)
  for (const [, url, plain, line] of stack.matchAll(
    /(?:(file:\/\/[^\s()]+?)|(?<![\w./])(\/[^\s():]+)):(\d+)(?::\d+)?/g,
  )) {
    const found = url === undefined ? plain! : fileURLToPath(url)
    if (found.startsWith(ownFolder) || found.includes(`${sep}node_modules${sep}`)) continue
    const shown = found === file ? path : join(dirname(path), relative(folder, found))
    return { file: shown, line: Number(line) }
  }
  return undefined
}

function withoutPlaces(message: string): string {
  return message.replace(/file:\/\/(\/[^\s'"]+)/g, '$1')
}
