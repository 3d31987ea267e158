import { isLadingError, isRecord, LadingError } from '../../../core/index.ts'
import { decodeText, parseYamlValue } from '../../../core/yaml/index.ts'
import { compareVersions, parseVersion, type Version } from '../semver/version.ts'

/** One version of a chart as an index lists it. */
export interface IndexEntry {
  readonly name: string
  readonly version: string
  readonly appVersion: string
  readonly description: string
  readonly deprecated: boolean
  readonly keywords: readonly string[]
  readonly urls: readonly string[]
  /** Of the archive, `sha256:` in front or not; empty where the index has none. */
  readonly digest: string
}

/** What a repository offers: charts by name, their versions newest first. */
export interface RepositoryIndex {
  readonly charts: ReadonlyMap<string, readonly IndexEntry[]>
}

/** The largest index that is read. */
export const maxIndexBytes = 96 * 1024 * 1024
const maxVersions = 500_000

/** Reads index.yaml: keys that occur twice are refused (GHSA-jm56-5h66-w453), entries that no chart can have are passed over. */
export function readIndex(data: Uint8Array, source: string): RepositoryIndex {
  if (data.byteLength > maxIndexBytes) throw invalid(source, `is larger than ${maxIndexBytes} bytes`)
  const index = parse(data, source)
  if (!isRecord(index)) throw invalid(source, 'is no map')
  if (typeof index['apiVersion'] !== 'string' || index['apiVersion'] === '') throw invalid(source, 'has no apiVersion')
  const charts = new Map<string, readonly IndexEntry[]>()
  const entries = index['entries'] ?? {}
  if (!isRecord(entries)) throw invalid(source, 'has entries that are no map')
  let count = 0
  for (const [name, rows] of Object.entries(entries)) {
    if (!Array.isArray(rows)) continue
    count += rows.length
    if (count > maxVersions) throw invalid(source, `lists more than ${maxVersions} versions`)
    charts.set(name, sorted(rows.flatMap((row) => entryOf(name, row))))
  }
  return { charts }
}

function parse(data: Uint8Array, source: string): unknown {
  try {
    return parseYamlValue(decodeText(data, source), { file: source })
  } catch (error) {
    if (!isLadingError(error)) throw error
    throw new LadingError(
      'repo.invalid',
      `the index of ${source} cannot be read: ${error.message}`,
      { source },
      { cause: error },
    )
  }
}

// Helm passes over what it cannot use, so that one bad row does not hide a repository.
function entryOf(name: string, row: unknown): IndexEntry[] {
  if (!isRecord(row) || row['name'] !== name || typeof row['version'] !== 'string') return []
  if (!isChartName(name) || typeof parseVersion(row['version']) === 'string') return []
  return [
    {
      name,
      version: row['version'],
      appVersion: textOf(row['appVersion']),
      description: textOf(row['description']),
      deprecated: row['deprecated'] === true,
      keywords: textsOf(row['keywords']),
      urls: textsOf(row['urls']),
      digest: textOf(row['digest']),
    },
  ]
}

/** Whether a text can name a chart, and so become part of a path. */
export function isChartName(name: string): boolean {
  return /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,249}$/.test(name)
}

function sorted(entries: readonly IndexEntry[]): IndexEntry[] {
  const parsed = entries.map((entry) => ({ entry, version: parseVersion(entry.version) as Version }))
  return parsed.sort((a, b) => compareVersions(b.version, a.version)).map(({ entry }) => entry)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

function invalid(source: string, problem: string): LadingError {
  return new LadingError('repo.invalid', `the index of ${source} ${problem}`, { source })
}
