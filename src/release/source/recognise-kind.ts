import { open, readdir, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { type Context, isLadingError, LadingError } from '../../core/index.ts'
import { isProgramFile, programIn } from '../../render/program/run/index.ts'
import type { SourceKind, SourceOptions } from './source.ts'

const markers: Readonly<Record<string, SourceKind>> = {
  'kustomization.yaml': 'kustomization',
  'kustomization.yml': 'kustomization',
  Kustomization: 'kustomization',
  'Chart.yaml': 'chart',
  'Pack.yaml': 'pack',
}

/** What a SOURCE argument is, by its spelling, by what the file is, or by what the folder holds. */
export async function recogniseKind(text: string, options: SourceOptions, ctx: Context): Promise<SourceKind> {
  if (text === '') throw new LadingError('usage.invalid', 'the source is empty')
  if (text === '-') return 'manifest'
  const scheme = /^([a-z][a-z\d+.-]+):\/\//i.exec(text)?.[1]?.toLowerCase()
  if (scheme !== undefined) return kindOfScheme(scheme)
  if (options.kind !== undefined) return options.kind
  if (options.chart?.repo !== undefined) return 'url'
  try {
    const stats = await stat(text)
    ctx.signal.throwIfAborted()
    if (stats.isDirectory()) return kindOfFolder(text, await readdir(text), options)
    return await kindOfFile(text, stats.isFile())
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (isMissing && options.fetchChart !== undefined && isRepositoryChart(text)) return 'url'
    throw isLadingError(error) ? error : unreadable(error, text, ctx)
  }
}

/** Whether a text can be REPO/NAME, of a repository that the user added. */
function isRepositoryChart(text: string): boolean {
  return /^[^./\\][^/\\]*\/[^/\\]+$/.test(text)
}

function kindOfScheme(scheme: string): SourceKind {
  if (scheme === 'oci') return 'oci'
  if (scheme === 'http' || scheme === 'https') return 'url'
  // The address itself may hold a password.
  throw new LadingError('source.unsupported', `sources of ${scheme}:// are not known; oci:// and https:// are`, {
    scheme,
  })
}

function kindOfFolder(folder: string, names: readonly string[], { recursive }: SourceOptions): SourceKind {
  const found = names.filter((name) => Object.hasOwn(markers, name)).sort()
  const kinds = new Set(found.map((name) => markers[name]!))
  if (kinds.size > 1) {
    const problem = `${folder} holds ${found.join(' and ')}: it can be rendered in several ways`
    throw new LadingError('source.unsupported', problem, { source: folder, found })
  }
  const [kind] = kinds
  if (kind !== undefined) return kind
  if (programIn(names) !== undefined) return 'program'
  if (recursive === true || names.some((name) => /^[^.].*\.(?:ya?ml|json)$/.test(name))) return 'manifest'
  const problem = `${folder} holds no manifest (.yaml, .yml, .json), kustomization.yaml, Chart.yaml, Pack.yaml or source.ts`
  throw new LadingError('source.empty', problem, { source: folder })
}

async function kindOfFile(path: string, isRegular: boolean): Promise<SourceKind> {
  const part = Object.hasOwn(markers, basename(path)) ? markers[basename(path)] : undefined
  if (part !== undefined) {
    const problem = `${path} is one file of a ${part}: give its folder, ${dirname(path)}`
    throw new LadingError('source.unsupported', problem, { source: path, kind: part })
  }
  if (/\.(?:tgz|tar\.gz|tar)$/i.test(path)) return 'archive'
  if (isProgramFile(path)) return 'program'
  // What comes by a pipe, as from `<(command)`, can be read only once.
  return isRegular && (await isGzip(path)) ? 'archive' : 'manifest'
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await file.close()
  }
}

function unreadable(error: unknown, source: string, ctx: Context): LadingError {
  const { code } = error as NodeJS.ErrnoException
  const details = { source }
  if (ctx.signal.aborted)
    return new LadingError('cancelled', `reading ${source} was cancelled`, details, { cause: error })
  if (code === 'ENOENT') return new LadingError('file.not-found', `${source} does not exist`, details, { cause: error })
  return new LadingError('file.unreadable', `${source} cannot be read (${code ?? 'unknown'})`, details, {
    cause: error,
  })
}
