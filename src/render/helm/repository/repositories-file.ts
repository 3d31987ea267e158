import { isLadingError, isRecord, LadingError, readGivenFile, stringifyJson } from '../../../core/index.ts'
import { decodeText, parseYamlValue, writeYaml } from '../../../core/yaml/index.ts'
import { writeAtomically } from './write-atomically.ts'

/** One repository as the user added it. */
export interface RepositoryEntry {
  readonly name: string
  readonly url: string
  readonly username?: string
  readonly password?: string
  /** Credentials go to other hosts too, where the index sends for the archives. */
  readonly passCredentialsAll?: boolean
  readonly insecureSkipTlsVerify?: boolean
  /** Files with certificates, in PEM. */
  readonly caFile?: string
  readonly certFile?: string
  readonly keyFile?: string
}

const maxBytes = 1024 * 1024

/** Reads Helm's repositories.yaml; there are none where there is no such file. */
export async function readRepositories(path: string): Promise<RepositoryEntry[]> {
  const data = await readGivenFile(path).catch((error: NodeJS.ErrnoException) => {
    if (isLadingError(error)) throw error
    if (error.code === 'ENOENT') return undefined
    throw new LadingError(
      'file.unreadable',
      `${path} cannot be read (${error.code ?? 'unknown'})`,
      { file: path },
      { cause: error },
    )
  })
  if (data === undefined || data.byteLength === 0) return []
  if (data.byteLength > maxBytes) throw invalid(path, `is larger than ${maxBytes} bytes`)
  const file = parseYamlValue(decodeText(data, path), { file: path })
  if (!isRecord(file)) throw invalid(path, 'is no map')
  const rows = file['repositories'] ?? []
  if (!Array.isArray(rows)) throw invalid(path, 'has repositories that are no list')
  const entries = rows.map((row: unknown) => entryOf(row, path))
  const names = entries.map(({ name }) => name)
  const double = names.find((name, at) => names.indexOf(name) !== at)
  if (double !== undefined) throw invalid(path, `has the repository ${double} twice`)
  return entries
}

/** Writes repositories.yaml as Helm does, for the user's eyes only: it may hold passwords. */
export async function writeRepositories(path: string, entries: readonly RepositoryEntry[]): Promise<void> {
  const repositories = entries.map((entry) => ({
    caFile: entry.caFile ?? '',
    certFile: entry.certFile ?? '',
    insecure_skip_tls_verify: entry.insecureSkipTlsVerify ?? false,
    keyFile: entry.keyFile ?? '',
    name: entry.name,
    pass_credentials_all: entry.passCredentialsAll ?? false,
    password: entry.password ?? '',
    url: entry.url,
    username: entry.username ?? '',
  }))
  await writeAtomically(path, writeYaml({ apiVersion: '', generated: '0001-01-01T00:00:00Z', repositories }), 0o600)
}

function entryOf(row: unknown, path: string): RepositoryEntry {
  if (!isRecord(row) || typeof row['name'] !== 'string' || typeof row['url'] !== 'string') {
    throw invalid(path, 'has a repository without a name or a url')
  }
  checkRepositoryName(row['name'])
  const texts = {
    username: row['username'],
    password: row['password'],
    caFile: row['caFile'],
    certFile: row['certFile'],
    keyFile: row['keyFile'],
  }
  const filled = Object.entries(texts).filter(([, text]) => typeof text === 'string' && text !== '')
  return {
    name: row['name'],
    url: row['url'],
    ...(Object.fromEntries(filled) as Partial<RepositoryEntry>),
    ...(row['pass_credentials_all'] === true ? { passCredentialsAll: true } : {}),
    ...(row['insecure_skip_tls_verify'] === true ? { insecureSkipTlsVerify: true } : {}),
  }
}

/** Refuses names that cannot be part of a path, or of REPO/CHART. */
export function checkRepositoryName(name: string): void {
  if (/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}$/.test(name)) return
  const problem = `${stringifyJson(name)} is no name for a repository: letters, digits, dots, dashes and underscores are`
  throw new LadingError('usage.invalid', problem)
}

function invalid(path: string, problem: string): LadingError {
  return new LadingError('repo.invalid', `${path} ${problem}`, { file: path })
}
