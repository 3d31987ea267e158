import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { isLadingError, LadingError, readGivenFile, toLadingError } from '../../core/index.ts'
import { parseYamlValue } from '../../core/yaml/index.ts'
import { Fields, type KubeconfigSource } from './fields.ts'

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where to look for a kubeconfig. */
export interface KubeconfigOptions {
  /** Path of the one file to read. */
  readonly kubeconfig?: string
  /** A kubeconfig from somebody else: it may neither run programs nor name files. */
  readonly kubeconfigText?: string
  /** Defaults to the process' own. */
  readonly env?: Environment
}

/** One kubeconfig, or several merged into one. */
export interface Kubeconfig {
  readonly sources: readonly KubeconfigSource[]
  readonly currentContext: string | undefined
  readonly contexts: ReadonlyMap<string, Fields>
  readonly clusters: ReadonlyMap<string, Fields>
  readonly users: ReadonlyMap<string, Fields>
}

/**
 * Reads the kubeconfig that kubectl would read: the given file, else the files of KUBECONFIG, else ~/.kube/config.
 * Returns undefined if there is no kubeconfig.
 */
export async function loadKubeconfig(options: KubeconfigOptions): Promise<Kubeconfig | undefined> {
  if (options.kubeconfigText !== undefined) {
    const source = { name: 'kubeconfig' }
    return merge([parse(source, options.kubeconfigText)], [source])
  }
  if (options.kubeconfig !== undefined) {
    const file = resolve(options.kubeconfig)
    const text = await read(file)
    if (text === undefined) {
      throw new LadingError('kubeconfig.not-found', `there is no kubeconfig ${file}`, { file })
    }
    const source = sourceOf(file)
    return merge([parse(source, text)], [source])
  }
  const documents: Fields[] = []
  const sources: KubeconfigSource[] = []
  for (const file of defaultFiles(options.env ?? process.env)) {
    const text = await read(file)
    if (text === undefined) continue
    const source = sourceOf(file)
    sources.push(source)
    documents.push(parse(source, text))
  }
  return sources.length === 0 ? undefined : merge(documents, sources)
}

/** The files of KUBECONFIG, each once, or the one in the home directory. */
function defaultFiles(env: Environment): string[] {
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '')
  if (listed.length > 0) return [...new Set(listed.map((file) => resolve(file)))]
  return [join(env['HOME'] ?? homedir(), '.kube', 'config')]
}

function sourceOf(file: string): KubeconfigSource {
  return { name: file, directory: dirname(file) }
}

async function read(file: string): Promise<string | undefined> {
  try {
    return (await readGivenFile(file)).toString('utf8')
  } catch (cause) {
    if (isLadingError(cause)) throw cause
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new LadingError('file.unreadable', `cannot read the kubeconfig ${file}: ${code}`, { file }, { cause })
  }
}

function parse(source: KubeconfigSource, text: string): Fields {
  let value: unknown
  try {
    value = parseYamlValue(text, { file: source.name, maxLength: 16 * 1024 * 1024, maxDepth: 100 })
  } catch (error) {
    // The place is told and the text is not, as it may hold a token; nor is the cause kept, which quotes it.
    const { code, details } = toLadingError(error)
    const { line } = details
    const place = line === undefined ? source.name : `${source.name}:${line}`
    const facts = { file: source.name, reason: code, line }
    throw new LadingError('kubeconfig.invalid', `${place}: the kubeconfig cannot be read as YAML (${code})`, facts)
  }
  const fields = new Fields(source, '', value ?? {})
  const kind = fields.text('kind')
  if (kind !== undefined && kind !== 'Config') throw fields.invalid('kind', `must be Config, not ${kind}`)
  return fields
}

/** Merges as clientcmd does: the first file to name an entry wins it whole; the first current-context wins. */
function merge(documents: readonly Fields[], sources: readonly KubeconfigSource[]): Kubeconfig {
  return {
    sources,
    currentContext: documents.map((each) => each.text('current-context')).find((name) => name !== undefined),
    contexts: entries(documents, 'contexts', 'context'),
    clusters: entries(documents, 'clusters', 'cluster'),
    users: entries(documents, 'users', 'user'),
  }
}

function entries(documents: readonly Fields[], list: string, field: string): Map<string, Fields> {
  const merged = new Map<string, Fields>()
  for (const document of documents) {
    const names = new Set<string>()
    for (const entry of document.maps(list)) {
      const name = entry.text('name')
      if (name === undefined) throw entry.invalid('name', 'is missing')
      // Within one file kubectl silently takes the last of two; which one is meant is for its owner to say.
      if (names.has(name)) throw entry.invalid('name', `${name} is there twice`)
      names.add(name)
      if (!merged.has(name))
        merged.set(name, entry.map(field) ?? new Fields(entry.source, `${entry.path}.${field}`, {}))
    }
  }
  return merged
}
