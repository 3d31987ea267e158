import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { type Context, isLadingError, isRecord, LadingError, refuseDevice } from '../../core/index.ts'
import { decodeText, parseDocuments, type YamlDocument } from '../../core/yaml/index.ts'
import type { GivenValues, ValuesFile } from './compose-values.ts'
import { type Assignment, parseSet } from './parse-set.ts'
import { setError, type SetFlag } from './set-cursor.ts'
import { formatPath } from './value-path.ts'

/** The flags as a user gave them. */
export interface ValuesFlags {
  /** Paths of `-f`, `-` for standard input. */
  readonly files?: readonly string[]
  readonly set?: readonly { readonly flag: SetFlag; readonly text: string }[]
}

/** Where values may be read from, and how much. */
export interface ReadValuesOptions {
  /** What `-` reads; without it `-` is refused. */
  readonly stdin?: AsyncIterable<Uint8Array | string>
  /** The folder from which relative paths of `--set-file` are meant (default: that of the process). */
  readonly cwd?: string
  /** The largest file that is read (default: 16 MiB). */
  readonly maxBytes?: number
}

const defaultMaxBytes = 16 * 1024 * 1024

/** Reads the files that flags name and parses the flags. */
export async function readValues(
  flags: ValuesFlags,
  options: ReadValuesOptions,
  ctx: Context,
): Promise<Required<Pick<GivenValues, 'files' | 'set'>>> {
  const set = (flags.set ?? []).flatMap(({ flag, text }) => parseSet(text, { flag }))
  const files: ValuesFile[] = []
  for (const path of flags.files ?? []) files.push(...(await readValuesFile(path, options, ctx)))
  const filled: Assignment[] = []
  for (const each of set) filled.push(each.flag === 'set-file' ? await withContent(each, options, ctx) : each)
  return { files, set: filled }
}

/** Several documents are several layers, as in Helm; an empty file has no values. */
async function readValuesFile(path: string, options: ReadValuesOptions, ctx: Context): Promise<ValuesFile[]> {
  const name = path === '-' ? 'stdin' : path
  const documents = parseValues(decodeText(await readBytes(path, options, ctx), name), name, ctx)
  const maps = documents.filter(({ value }) => value !== null).map(({ value }) => mapOf(value, name))
  return maps.length === 0 ? [{ name, values: {} }] : maps.map((values) => ({ name, values }))
}

// What Helm reads must not fail here, but what it loses without a word is said.
function parseValues(text: string, file: string, ctx: Context): YamlDocument[] {
  try {
    return parseDocuments(text, { file })
  } catch (error) {
    if (!isLadingError(error)) throw error
    const documents = parseDocuments(text, { file, lenient: true })
    if (error.code === 'yaml.duplicate-key') ctx.log.warn(`${error.message}: the last one counts, as in Helm`)
    return documents
  }
}

function mapOf(value: unknown, name: string): Record<string, unknown> {
  if (isRecord(value)) return value
  const kind = Array.isArray(value) ? 'a list' : `a ${typeof value}`
  throw new LadingError('values.invalid', `${name}: values are a map, this is ${kind}`, { file: name })
}

async function withContent(assignment: Assignment, options: ReadValuesOptions, ctx: Context): Promise<Assignment> {
  const { value } = assignment
  if (!Array.isArray(value)) return { ...assignment, value: await readContent(assignment, value, options, ctx) }
  const contents: string[] = []
  for (const path of value) contents.push(await readContent(assignment, path, options, ctx))
  return { ...assignment, value: contents }
}

async function readContent(
  { flag, position, path }: Assignment,
  file: unknown,
  options: ReadValuesOptions,
  ctx: Context,
): Promise<string> {
  if (typeof file !== 'string' || file === '') {
    throw setError(flag, position, `${formatPath(path)} names no file`, path)
  }
  const bytes = await readBytes(pathFrom(options.cwd, file), options, ctx)
  try {
    // Helm keeps a byte order mark too.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw setError(flag, position, `${file} is no UTF-8 text`, path)
  }
}

/** Left as the user wrote it where it means the same, for errors show it. */
function pathFrom(cwd: string | undefined, file: string): string {
  return cwd === undefined || cwd === process.cwd() || file === '-' || isUrl(file) ? file : resolve(cwd, file)
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z\d+.-]+:\/\//i.test(text)
}

async function readBytes(path: string, options: ReadValuesOptions, ctx: Context): Promise<Buffer> {
  if (isUrl(path)) {
    throw new LadingError('values.invalid', 'values are read from files only, not from a URL')
  }
  if (path === '-' && options.stdin === undefined) {
    throw new LadingError('usage.invalid', '- needs a standard input to read')
  }
  const maxBytes = options.maxBytes ?? defaultMaxBytes
  const pieces: Buffer[] = []
  let length = 0
  try {
    if (path !== '-') await refuseDevice(path)
    const stream = path === '-' ? options.stdin! : createReadStream(path, { signal: ctx.signal })
    for await (const piece of stream) {
      ctx.signal.throwIfAborted()
      pieces.push(Buffer.from(piece))
      length += pieces.at(-1)!.length
      if (length > maxBytes) {
        const problem = `${path} is longer than ${maxBytes} bytes, the limit maxBytes`
        throw new LadingError('input.too-large', problem, { file: path, maxBytes })
      }
    }
  } catch (error) {
    throw isLadingError(error) ? error : unreadable(error, path, ctx)
  }
  return Buffer.concat(pieces)
}

function unreadable(error: unknown, file: string, ctx: Context): LadingError {
  const { code } = error as NodeJS.ErrnoException
  if (ctx.signal.aborted) {
    return new LadingError('cancelled', `reading ${file} was cancelled`, { file }, { cause: error })
  }
  if (code === 'ENOENT') return new LadingError('file.not-found', `${file} does not exist`, { file }, { cause: error })
  const problem = `${file} cannot be read (${code ?? 'unknown'})`
  return new LadingError('file.unreadable', problem, { file, code }, { cause: error })
}
