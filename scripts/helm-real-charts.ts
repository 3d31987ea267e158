import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { isRecord } from '../src/core/index.ts'
import { parseYamlValue, writeYaml } from '../src/core/yaml/index.ts'
import { compareOutcomes, type Likeness, type Outcome } from '../src/render/helm/testdata/compare-output.ts'
import { runHelm } from '../src/render/helm/testdata/run-helm.ts'
import { type LadingRun, runLading } from '../src/render/helm/testdata/run-lading.ts'
import { npmClients } from '../testbed/npm-clients.ts'

const usage = `Compares Lading's Helm with the real one on public charts:
  node scripts/helm-real-charts.ts --work FOLDER [--only TEXT] [--verbose] [--kube-version V] [--api-versions A,B]
    [--include-crds] [--random N [--seed S]] REPOSITORY...
Each REPOSITORY is a folder that holds charts anywhere. Charts are copied into the work folder, and dependencies that
lie elsewhere in the same repository are put into charts/ there. What helm gave is kept in the work folder. With --random each
chart is rendered N times more, with some of its own values changed at random.`

interface Case {
  readonly name: string
  readonly chart: string
  readonly valuesFiles: readonly string[]
}

/** What templates may meet in the place of any value. */
const replacement: fc.Arbitrary<unknown> = fc.oneof(
  fc.boolean(),
  fc.constantFrom(0, 1, 3, 8080, 1.5, -1),
  fc.constantFrom('', 'x', 'a-b', '8080', 'true', 'two\nlines\n', 'ünï', '{{ .Release.Name }}', '1Gi', '5m'),
  fc.constantFrom(null, [], {}, ['x'], { key: 'value' }, [{ name: 'x', value: 'y' }]),
)

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    work: { type: 'string' },
    only: { type: 'string' },
    verbose: { type: 'boolean' },
    'kube-version': { type: 'string' },
    'api-versions': { type: 'string' },
    'include-crds': { type: 'boolean' },
    random: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
})
if (flags.work === undefined || positionals.length === 0) {
  console.error(usage)
  process.exit(2)
}
const work = resolve(flags.work)
const clients = await npmClients()
if (clients === undefined) throw new Error('there is no helm for this machine')
await main(clients.helm)

async function main(helm: string): Promise<void> {
  const tally = new Map<Likeness, string[]>()
  const charts = new Set<string>()
  for (const repository of positionals) {
    for (const each of await casesOf(resolve(repository))) {
      if (flags.only !== undefined && !each.name.includes(flags.only)) continue
      charts.add(each.chart)
      const { likeness, detail } = await runCase(helm, each)
      tally.set(likeness, [...(tally.get(likeness) ?? []), each.name])
      if (flags.verbose === true || likeness === 'different') console.log(`${likeness} ${each.name}${detail}`)
      else if (likeness === 'same-objects' || likeness === 'same-place') console.log(`${likeness} ${each.name}`)
    }
  }
  const all = [...tally.values()].reduce((sum, names) => sum + names.length, 0)
  console.log(`${charts.size} charts, ${all} cases`)
  for (const [likeness, names] of tally) console.log(`${likeness}: ${names.length}`)
}

async function casesOf(repository: string): Promise<Case[]> {
  const folders = await chartFolders(repository)
  const byName = await indexByName(folders)
  const cases: Case[] = []
  for (const folder of folders) {
    const name = join(basename(repository), relative(repository, folder) || '.')
    const chart = join(work, 'charts', name)
    if (!existsSync(chart)) await prepare(folder, chart, byName, [])
    const trimmed = `${chart}~trimmed`
    const isTrimmed = existsSync(trimmed) || (await trimMissing(chart, trimmed))
    const ci = join(folder, 'ci')
    const files = existsSync(ci) ? (await readdir(ci)).filter((file) => /values\.ya?ml$/.test(file)).sort() : []
    cases.push({ name, chart, valuesFiles: [] })
    cases.push(...(await randomCases(name, isTrimmed ? trimmed : chart)))
    if (isTrimmed) cases.push({ name: `${name}~trimmed`, chart: trimmed, valuesFiles: [] })
    for (const file of files) {
      const used = isTrimmed ? trimmed : chart
      cases.push({ name: `${name} ${file}${isTrimmed ? '~trimmed' : ''}`, chart: used, valuesFiles: [join(ci, file)] })
    }
  }
  return cases
}

/** The chart with some of its own values changed, removed or replaced by what templates may not expect. */
async function randomCases(name: string, chart: string): Promise<Case[]> {
  const own = await chartYaml(chart, 'values.yaml')
  const cases: Case[] = []
  for (let nth = 1; nth <= Number(flags.random); nth++) {
    const label = `${name} random ${flags.seed}.${nth}`
    const file = join(work, 'random', `${createHash('sha256').update(label).digest('hex').slice(0, 24)}.yaml`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, writeYaml(changedValues(own, label)))
    cases.push({ name: label, chart, valuesFiles: [file] })
  }
  return cases
}

function changedValues(own: Record<string, unknown>, label: string): Record<string, unknown> {
  const paths = leafPaths(own)
  if (paths.length === 0) return {}
  const seed = createHash('sha256').update(label).digest().readInt32LE(0)
  const wanted = fc.array(fc.tuple(fc.constantFrom(...paths), replacement), { minLength: 1, maxLength: 6 })
  const [changes = []] = fc.sample(wanted, { seed, numRuns: 1 })
  const changed: Record<string, unknown> = {}
  for (const [path, value] of changes) {
    let at = changed
    for (const step of path.slice(0, -1)) {
      const inner = at[step]
      at = isRecord(inner) ? inner : (at[step] = {})
    }
    at[path.at(-1)!] = value
  }
  return changed
}

function leafPaths(value: Record<string, unknown>, before: readonly string[] = []): string[][] {
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = [...before, key]
    return isRecord(inner) && Object.keys(inner).length > 0 ? [path, ...leafPaths(inner, path)] : [path]
  })
}

async function chartFolders(folder: string, found: string[] = []): Promise<string[]> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || /^(?:\.git|node_modules|testdata)$/.test(entry.name)) continue
    const path = join(folder, entry.name)
    if (existsSync(join(path, 'Chart.yaml'))) found.push(path)
    else await chartFolders(path, found)
  }
  if (found.length === 0 && existsSync(join(folder, 'Chart.yaml'))) found.push(folder)
  return found
}

async function indexByName(folders: readonly string[]): Promise<Map<string, string>> {
  const byName = new Map<string, string>()
  for (const folder of folders) {
    const { name } = await chartYaml(folder)
    if (typeof name === 'string' && !byName.has(name)) byName.set(name, folder)
  }
  return byName
}

async function chartYaml(folder: string, file = 'Chart.yaml'): Promise<Record<string, unknown>> {
  const text = await readFile(join(folder, file), 'utf8').catch(() => '')
  try {
    const value = parseYamlValue(text, { lenient: true })
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

async function prepare(
  folder: string,
  target: string,
  byName: ReadonlyMap<string, string>,
  within: readonly string[],
): Promise<void> {
  await rm(target, { recursive: true, force: true })
  await mkdir(dirname(target), { recursive: true })
  await cp(folder, target, { recursive: true, dereference: true }).catch(() => undefined)
  const rows = [...list(await chartYaml(folder)), ...list(await chartYaml(folder, 'requirements.yaml'))]
  for (const { name } of rows) {
    const sibling = typeof name === 'string' ? byName.get(name) : undefined
    if (sibling === undefined || sibling === folder || within.includes(sibling)) continue
    if (existsSync(join(target, 'charts', String(name)))) continue
    await prepare(sibling, join(target, 'charts', String(name)), byName, [...within, folder])
  }
}

// A chart whose dependencies are not to be had ends with an error; without those rows its own templates can be compared.
async function trimMissing(chart: string, trimmed: string): Promise<boolean> {
  const present = new Set<unknown>()
  for (const entry of await readdir(join(chart, 'charts')).catch(() => [])) {
    present.add((await chartYaml(join(chart, 'charts', entry)))['name'])
    if (entry.endsWith('.tgz')) present.add(entry.replace(/-v?\d.*$/, ''))
  }
  let isTrimmed = false
  for (const file of ['Chart.yaml', 'requirements.yaml']) {
    const content = await chartYaml(chart, file)
    const kept = list(content).filter(({ name }) => present.has(name))
    if (kept.length === list(content).length) continue
    if (!isTrimmed) await cp(chart, trimmed, { recursive: true })
    isTrimmed = true
    await writeFile(join(trimmed, file), writeYaml({ ...content, dependencies: kept }))
  }
  return isTrimmed
}

function list(chart: Record<string, unknown>): Record<string, unknown>[] {
  const rows = chart['dependencies']
  return Array.isArray(rows) ? rows.filter(isRecord) : []
}

async function runCase(helm: string, each: Case): Promise<{ likeness: Likeness; detail: string }> {
  const args = ['release-name', each.chart, ...extraArgs(), ...each.valuesFiles.flatMap((file) => ['-f', file])]
  const theirs = await kept(each, 'first', () => runHelm(helm, args, work))
  let ours: Outcome
  try {
    ours = await runLading(each.chart, { valuesFiles: each.valuesFiles, ...extraRun() })
  } catch (error) {
    ours = { error: `CRASH ${error instanceof Error ? error.stack : String(error)}` }
  }
  let likeness = compareOutcomes(ours, theirs)
  let again = theirs
  if (likeness === 'different' && 'text' in theirs) {
    // A second later, so that times differ as well.
    again = await kept(each, 'second', async () => {
      await setTimeout(1100)
      return runHelm(helm, args, work)
    })
    likeness = compareOutcomes(ours, theirs, again)
  }
  return { likeness, detail: likeness.startsWith('same') ? '' : firstDifference(ours, theirs, again) }
}

function extraArgs(): string[] {
  return [
    ...(flags['kube-version'] === undefined ? [] : ['--kube-version', flags['kube-version']]),
    ...(flags['api-versions'] === undefined ? [] : ['--api-versions', flags['api-versions']]),
    ...(flags['include-crds'] === true ? ['--include-crds'] : []),
  ]
}

function extraRun(): LadingRun {
  return {
    includeCrds: flags['include-crds'] ?? false,
    ...(flags['kube-version'] === undefined ? {} : { kubeVersion: flags['kube-version'] }),
    ...(flags['api-versions'] === undefined ? {} : { apiVersions: flags['api-versions'].split(',') }),
  }
}

async function kept(each: Case, run: string, make: () => Promise<Outcome>): Promise<Outcome> {
  const digest = createHash('sha256')
    .update([each.name, run, ...extraArgs()].join(' '))
    .digest('hex')
    .slice(0, 24)
  const path = join(work, 'helm', `${digest}.json`)
  if (existsSync(path)) return JSON.parse(await readFile(path, 'utf8')) as Outcome
  const outcome = await make()
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, JSON.stringify(outcome))
  return outcome
}

function firstDifference(ours: Outcome, theirs: Outcome, again: Outcome): string {
  const [a, b, c] = [textOf(ours).split('\n'), textOf(theirs).split('\n'), textOf(again).split('\n')] as const
  const at = b.findIndex((line, index) => line !== a[index] && line === c[index])
  const line = Math.max(at, 0)
  return `\n  line ${line + 1}\n  ours:   ${a
    .slice(line, line + 3)
    .join('\n          ')
    .slice(0, 900)}\n  theirs: ${b
    .slice(line, line + 3)
    .join('\n          ')
    .slice(0, 900)}`
}

function textOf(outcome: Outcome): string {
  return 'text' in outcome ? outcome.text : `error: ${outcome.error}`
}
