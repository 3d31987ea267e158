import { realpathSync } from 'node:fs'
import {
  type Context,
  isLadingError,
  isRecord,
  type KubeObject,
  LadingError,
  parseJson,
  seededRandom,
} from '../../../core/index.ts'
import { objectsOf, readObjects } from '../../../core/yaml/index.ts'
import type { RenderSeed } from '../../world/index.ts'
import type { ProgramLimits, ProgramOrder, ProgramResult, ValueIssue } from '../child/messages.ts'
import type { ProgramInput } from '../define-source.ts'
import { doorUrl, packagesUrl, workerUrl } from '../place.ts'
import { runChild } from './child-process.ts'
import { type ProgramAccess, programFlags } from './program-access.ts'
import { programDigest } from './program-digest.ts'
import { exitError, failureError, limitError, type NamedProgram, valuesError } from './program-error.ts'

/** What a program is rendered with, and within which limits. */
export interface ProgramRun extends Pick<ProgramInput, 'values' | 'release' | 'capabilities'> {
  readonly seed: Required<RenderSeed>
  readonly access?: ProgramAccess
  /** Renders the same at any time and everywhere: random values of `node:crypto` are refused. */
  readonly reproducible?: boolean
  /** How long it may take (default: 60000). */
  readonly timeoutMs?: number
  /** The file or flag that gave a value, by its field. */
  readonly givenBy?: (field: string) => string | undefined
}

/** What a program came to. */
export interface RenderedProgram {
  readonly objects: readonly KubeObject[]
  readonly notes?: string
  /** The values that it was rendered with, defaults of its schema included. */
  readonly values: Readonly<Record<string, unknown>>
  /** What of the seed it used. */
  readonly used: RenderSeed
  /** Of the modules that it loaded, the files that it read, and the packages that it uses. */
  readonly digest: string
}

const limits: Omit<ProgramLimits, 'timeMs'> = {
  memoryMb: 1024,
  logBytes: 1024 * 1024,
  outputBytes: 64 * 1024 * 1024,
}

/** Renders a program in a process of its own, without network, environment, other files or other programs. */
export async function renderProgram(path: string, run: ProgramRun, ctx: Context): Promise<RenderedProgram> {
  const program = { path, file: realPath(path) }
  const order = orderOf(program, run)
  const result = await resultOf(program, order, run, ctx)
  const { seed, renderedAt } = run.seed
  return {
    objects: objectsIn(program, result),
    values: result.values,
    used: { ...(result.drewRandom ? { seed } : {}), ...(result.readClock ? { renderedAt } : {}) },
    digest: programDigest(program.file, result.files),
    ...(result.notes === undefined ? {} : { notes: result.notes }),
  }
}

function orderOf({ file }: NamedProgram, run: ProgramRun): ProgramOrder {
  const { values, release, capabilities, seed, access = {}, reproducible = false, timeoutMs = 60_000 } = run
  return {
    file,
    values,
    release: { ...release },
    capabilities: { ...capabilities },
    key: seededRandom(seed.seed).bytes(32).toString('hex'),
    reproducible,
    renderedAt: seed.renderedAt,
    allowNet: access.net === true,
    env: { TZ: 'UTC', ...access.env },
    flags: programFlags(file, access),
    worker: workerUrl,
    modules: { door: doorUrl, packages: packagesUrl },
    limits: { ...limits, timeMs: timeoutMs },
  }
}

async function resultOf(
  program: NamedProgram,
  order: ProgramOrder,
  { values, givenBy = () => undefined }: ProgramRun,
  ctx: Context,
): Promise<ProgramResult> {
  // Loaded only now: few programs have a JSON Schema.
  const check = async (schema: string) => {
    const { schemaValues } = await import('./schema-values.ts')
    const { values: filled, issues } = schemaValues(schema, values, program.path)
    if (issues.length > 0) throw valuesError(program, issues, givenBy)
    return { values: filled }
  }
  const log = (level: 'info' | 'warn', text: string): void => {
    for (const line of text.split('\n')) if (line.trim() !== '') ctx.log[level](`${program.path}: ${line}`)
  }
  const message = await runChild(order, { check, log }, ctx)
  switch (message.type) {
    case 'result':
      return readResult(program, message.text)
    case 'issues':
      throw valuesError(program, parseJson(message.text) as ValueIssue[], givenBy)
    case 'failure':
      throw failureError(program, message.failure)
    case 'limit':
      throw limitError(program, message.problem)
    case 'exit':
      throw exitError(program, message.code)
  }
}

// The text was written beside the program, which may have changed how.
function readResult({ path }: NamedProgram, text: string): ProgramResult {
  const result = parseJson(text)
  if (!isRecord(result) || !Array.isArray(result['pieces']) || !Array.isArray(result['files'])) {
    throw new LadingError('program.failed', `${path} changed what it is rendered with`, { file: path })
  }
  const { pieces, values, notes, files, drewRandom, readClock } = result
  return {
    pieces: pieces.filter(isRecord) as unknown as ProgramResult['pieces'],
    values: isRecord(values) ? values : {},
    files: files.filter((each) => typeof each === 'string'),
    drewRandom: drewRandom === true,
    readClock: readClock === true,
    ...(typeof notes === 'string' ? { notes } : {}),
  }
}

function objectsIn({ path }: NamedProgram, { pieces }: ProgramResult): KubeObject[] {
  return pieces.flatMap((piece, index) => {
    if ('yaml' in piece && typeof piece.yaml === 'string') return readObjects(piece.yaml, { file: path })
    const value = 'value' in piece ? piece.value : undefined
    try {
      return objectsOf({ value, index, line: 1 }, path)
    } catch (error) {
      if (!isLadingError(error)) throw error
      const problem = error.message.slice(error.message.indexOf(': ') + 2)
      const message = `${path}: object ${index + 1}${nameOf(value)}: ${problem}`
      throw new LadingError(error.code, message, { ...error.details, file: path }, { cause: error })
    }
  })
}

function nameOf(value: unknown): string {
  if (!isRecord(value)) return ''
  const { kind, metadata } = value
  const name = isRecord(metadata) ? metadata['name'] : undefined
  const words = [kind, name].filter((each) => typeof each === 'string')
  return words.length === 0 ? '' : ` (${words.join(' ')})`
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    throw new LadingError('file.not-found', `${path} does not exist`, { file: path }, { cause: error })
  }
}
