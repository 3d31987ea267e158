import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { isRecord } from '../../src/core/index.ts'
import { parseYamlValue, writeYaml } from '../../src/core/yaml/index.ts'

const execute = promisify(execFile)

/** A chart at one commit, on the disk, with its dependencies. */
export interface Revision {
  readonly folder: string
  readonly version: string
}

/** A chart at the two commits between which it is upgraded. */
export interface Revisions {
  readonly name: string
  readonly from: Revision
  readonly to: Revision
}

/** Writes a chart of a git repository to the disk as it was at two commits. */
export async function exportRevisions(text: string, all: readonly string[], work: string): Promise<Revisions> {
  const { repository, path, from, to } = parse(text)
  const newest = to ?? (await git(repository, 'rev-parse', 'HEAD'))
  const older = from ?? (await commitBefore(repository, path, newest))
  const name = basename(path === '.' ? repository.replace(/\/repo$/, '') : path)
    .replaceAll(/[^a-z\d-]/gi, '-')
    .toLowerCase()
  const others = [...new Set(all.map((each) => parse(each).repository))]
  const write = async (ref: string, label: string): Promise<Revision> => {
    const folder = join(work, 'charts', `${name}-${label}`, name)
    await exportChart(repository, path, ref, folder, others, 0)
    const { version } = await readYaml(join(folder, 'Chart.yaml'))
    return { folder, version: String(version) }
  }
  return { name, from: await write(older, 'from'), to: await write(newest, 'to') }
}

interface Place {
  readonly repository: string
  readonly path: string
  readonly from?: string
  readonly to?: string
}

function parse(text: string): Place {
  const [, repository = text, path = '.', from, to] = /^([^:]+):([^@]+)(?:@(.+)\.\.(.+))?$/.exec(text) ?? []
  return { repository, path, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

/** The newest commit in which the chart had another version than at a given one. */
async function commitBefore(repository: string, path: string, commit: string): Promise<string> {
  const file = join(path, 'Chart.yaml')
  const versionAt = async (ref: string): Promise<unknown> =>
    readText(await git(repository, 'show', `${ref}:${file}`).catch(() => ''))['version']
  const current = await versionAt(commit)
  const log = await git(repository, 'log', '--format=%H', '-n', '60', commit, '--', file)
  for (const each of log.split('\n').slice(1)) {
    const version = await versionAt(each)
    if (version !== undefined && version !== current) return each
  }
  throw new Error(`${path} has had only one version`)
}

/** One chart with its dependencies; those that are in no repository lose their row. */
async function exportChart(
  repository: string,
  path: string,
  ref: string,
  folder: string,
  others: readonly string[],
  depth: number,
): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const spec = path === '.' ? ref : `${ref}:${path}`
  const archive = join(folder, '.export.tar')
  await execute('git', ['--git-dir', repository, 'archive', '--format=tar', '-o', archive, spec])
  await execute('tar', ['-xf', archive, '-C', folder])
  await rm(archive)
  for (const file of ['Chart.yaml', 'requirements.yaml'])
    await exportDependencies(repository, path, ref, folder, file, others, depth)
  for (const file of ['Chart.lock', 'requirements.lock']) await rm(join(folder, file), { force: true })
}

async function exportDependencies(
  repository: string,
  path: string,
  ref: string,
  folder: string,
  file: string,
  others: readonly string[],
  depth: number,
): Promise<void> {
  const chart = await readYaml(join(folder, file))
  const rows = Array.isArray(chart['dependencies']) ? chart['dependencies'].filter(isRecord) : []
  const kept: unknown[] = []
  for (const row of rows) {
    const name = String(row['name'])
    const place = join(folder, 'charts', name)
    const vendored = await readYaml(join(place, 'Chart.yaml'))
    const found =
      vendored['name'] !== undefined ||
      (depth < 3 && (await exportDependency(repository, path, ref, row, place, others, depth)))
    if (found) kept.push(row)
  }
  if (rows.length > 0) await writeFile(join(folder, file), writeYaml({ ...chart, dependencies: kept }))
}

async function exportDependency(
  repository: string,
  path: string,
  ref: string,
  row: Readonly<Record<string, unknown>>,
  place: string,
  others: readonly string[],
  depth: number,
): Promise<boolean> {
  const name = String(row['name'])
  const near = typeof row['repository'] === 'string' ? row['repository'] : ''
  if (near.startsWith('file://')) {
    const sibling = join(path, near.slice('file://'.length))
    await exportChart(repository, sibling, ref, place, others, depth + 1)
    return true
  }
  const wanted = String(row['version']).replaceAll(/[\^~*xX]/g, '')
  for (const other of [repository, ...others]) {
    const tags = await git(other, 'tag', '--list', `${name}-${wanted}*`, '--sort=-v:refname').catch(() => '')
    const [tag] = tags.split('\n').filter((text) => text !== '')
    const at = tag ?? (other === repository ? ref : 'HEAD')
    const files = await git(other, 'ls-tree', '-r', '--name-only', at).catch(() => '')
    const all = new Set(files.split('\n'))
    // Not a subchart of another chart, which counts on its parent.
    const match = [...all].find(
      (file) => file.endsWith(`/${name}/Chart.yaml`) && !all.has(join(file, '../../../Chart.yaml')),
    )
    if (match === undefined) continue
    await exportChart(other, match.slice(0, -'/Chart.yaml'.length), at, place, others, depth + 1)
    // Whatever version was found is the one that is asked for.
    ;(row as Record<string, unknown>)['version'] = (await readYaml(join(place, 'Chart.yaml')))['version']
    return true
  }
  return false
}

async function git(repository: string, ...args: string[]): Promise<string> {
  const { stdout } = await execute('git', ['--git-dir', repository, ...args], { maxBuffer: 1 << 28 })
  return stdout.trim()
}

async function readYaml(file: string): Promise<Record<string, unknown>> {
  return readText(await readFile(file, 'utf8').catch(() => ''))
}

function readText(text: string): Record<string, unknown> {
  try {
    const value = parseYamlValue(text, { lenient: true })
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
