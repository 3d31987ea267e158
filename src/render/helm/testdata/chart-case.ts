import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defined, LadingError } from '../../../core/index.ts'
import { parseYamlValue } from '../../../core/yaml/index.ts'
import { loadChart } from '../chart/load-chart.ts'
import { defaultCapabilities } from '../objects/capabilities.ts'
import { renderChart, type RenderOptions } from '../render-chart.ts'
import { mergeValues } from '../values/merge-values.ts'
import { readValues } from '../values/read-values.ts'
import { newValues } from '../values/values.ts'
import { writeTemplate } from '../write-template.ts'
import type { Outcome } from './compare-output.ts'
import { packTgz } from './pack-tgz.ts'

/** How helm is run on a case; the names are Lading's. */
export interface CaseRun {
  readonly values?: readonly string[]
  readonly releaseName?: string
  readonly namespace?: string
  readonly kubeVersion?: string
  readonly apiVersions?: readonly string[]
  readonly isUpgrade?: boolean
  readonly includeCrds?: boolean
  readonly skipTests?: boolean
  readonly skipHooks?: boolean
  readonly skipSchemaValidation?: boolean
  readonly showOnly?: readonly string[]
}

/** A chart in one text: `-- path --` begins a file, `@path` is a values file beside it, `x.tgz!/path` goes into an archive. */
export interface ChartCase {
  readonly name: string
  readonly run: CaseRun
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly valuesFiles: ReadonlyMap<string, string>
}

const folder = join(dirname(fileURLToPath(import.meta.url)), 'charts')

/** Every case there is. */
export function chartCases(): ChartCase[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.txt'))
    .sort()
    .map((file) => parseCase(file.slice(0, -'.txt'.length), readFileSync(join(folder, file), 'utf8')))
}

/** What the real helm made of a case when the expectations were written. */
export function expectedOutcome(name: string): Outcome | undefined {
  const [text, error] = [expectedPath(name, 'yaml'), expectedPath(name, 'err')]
  if (existsSync(text)) return { text: readFileSync(text, 'utf8') }
  return existsSync(error) ? { error: readFileSync(error, 'utf8') } : undefined
}

/** Where an expectation is kept. */
export function expectedPath(name: string, kind: 'yaml' | 'err'): string {
  return join(folder, `${name}.expected.${kind}`)
}

/** Writes a case into a folder and gives the arguments for `helm template` there. */
export async function unfoldCase({ run, files, valuesFiles }: ChartCase, target: string): Promise<string[]> {
  for (const [path, data] of files) {
    await mkdir(dirname(join(target, 'chart', path)), { recursive: true })
    await writeFile(join(target, 'chart', path), data)
  }
  for (const [path, text] of valuesFiles) await writeFile(join(target, path), text)
  return [
    run.releaseName ?? 'release-name',
    'chart',
    '--namespace',
    run.namespace ?? 'default',
    ...(run.values ?? []).flatMap((file) => ['-f', file]),
    ...(run.kubeVersion === undefined ? [] : ['--kube-version', run.kubeVersion]),
    ...(run.apiVersions ?? []).flatMap((version) => ['--api-versions', version]),
    ...(run.isUpgrade === true ? ['--is-upgrade'] : []),
    ...(run.includeCrds === true ? ['--include-crds'] : []),
    ...(run.skipTests === true ? ['--skip-tests'] : []),
    ...(run.skipHooks === true ? ['--no-hooks'] : []),
    ...(run.skipSchemaValidation === true ? ['--skip-schema-validation'] : []),
    ...(run.showOnly ?? []).flatMap((path) => ['--show-only', path]),
  ]
}

/** How Lading renders a case. */
export function caseOptions({ run, valuesFiles }: ChartCase): Omit<RenderOptions, 'environment' | 'postRender'> {
  let values = newValues()
  for (const file of run.values ?? []) values = mergeValues(values, readValues(valuesFiles.get(file) ?? '', file))
  const { kubeVersion, apiVersions } = run
  return {
    values,
    release: { name: run.releaseName ?? 'release-name', namespace: run.namespace ?? 'default' },
    isUpgrade: run.isUpgrade ?? false,
    skipSchemaValidation: run.skipSchemaValidation ?? false,
    capabilities: defaultCapabilities({
      ...defined({ kubeVersion, apiVersions }),
    }),
  }
}

/** What Lading makes of a case, all in memory. */
export function renderCase(each: ChartCase): Outcome {
  try {
    return { text: writeTemplate(renderChart(loadChart(each.files), caseOptions(each)), each.run) }
  } catch (error) {
    if (error instanceof LadingError) return { error: error.message }
    throw error
  }
}

function parseCase(name: string, text: string): ChartCase {
  const [head = '', ...sections] = text.split(/^-- (?=.+ --$)/m)
  const given = parseYamlValue(head) as { run?: CaseRun } | null
  const files = new Map<string, Uint8Array>()
  const valuesFiles = new Map<string, string>()
  const archives = new Map<string, Map<string, Uint8Array>>()
  for (const section of sections) {
    const end = section.indexOf(' --\n')
    const path = section.slice(0, end)
    const content = section.slice(end + ' --\n'.length)
    const [archive = '', inner] = path.split('!/')
    if (path.startsWith('@')) valuesFiles.set(path.slice(1), content)
    else if (inner === undefined) files.set(path, Buffer.from(content))
    else archives.set(archive, (archives.get(archive) ?? new Map()).set(inner, Buffer.from(content)))
  }
  for (const [path, inner] of archives) files.set(path, packTgz(inner))
  return { name, run: given?.run ?? {}, files: new Map([...files].sort(byPath)), valuesFiles }
}

function byPath([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}
