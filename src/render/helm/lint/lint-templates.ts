import { type Context, isRecord, stringifyJson } from '../../../core/index.ts'
import { runStoppable } from '../../stoppable/index.ts'
import { type Capabilities, defaultCapabilities, parseKubeVersion } from '../objects/capabilities.ts'
import type { Values } from '../values/values.ts'
import { deprecationOf } from './deprecated-apis.ts'
import type { LintOptions, Loaded, Report } from './lint-chart.ts'
import { type LintDocument, lintDocuments } from './lint-documents.ts'
import type { LintInput } from './lint-input.ts'
import { lintJob } from './lint-job.ts'
import { isObjectName } from './object-name.ts'

const folder = 'templates/'

/** Renders the templates and looks at what they give. */
export async function lintTemplates(
  input: LintInput,
  chart: Loaded,
  given: Values,
  options: LintOptions,
  report: Report,
  ctx: Context,
): Promise<void> {
  const kind = await input.kindOf('templates')
  if (kind === undefined) return report('warning', folder, 'directory does not exist')
  if (kind === 'file') return report('error', folder, 'not a directory')
  if (typeof chart === 'string') return report('error', folder, chart)
  const capabilities = defaultCapabilities(
    options.kubeVersion === undefined ? {} : { kubeVersion: options.kubeVersion },
  )
  const { namespace = 'default', skipSchemaValidation = false } = options
  const rendered = await runStoppable(
    lintJob,
    { chart, values: given, capabilities, namespace, skipSchemaValidation },
    ctx,
  )
  if (rendered === undefined) return
  if (typeof rendered === 'string') return report('error', folder, rendered)
  for (const { name } of chart.templates) {
    const text = rendered.get(`${chart.metadata.name}/${name}`) ?? ''
    const go = lintTemplate(name, text, { ...options, capabilities }, report)
    if (!go) return
  }
}

// Whether to go on: after a document that cannot be read Helm's linter looks at no further template.
function lintTemplate(
  name: string,
  text: string,
  {
    capabilities,
    problemsOf,
    warningsOf,
  }: { capabilities: Capabilities } & Pick<LintOptions, 'problemsOf' | 'warningsOf'>,
  report: Report,
): boolean {
  const extension = /\.[^./]*$/.exec(name)?.[0] ?? ''
  if (!['.yaml', '.yml', '.tpl', '.txt'].includes(extension)) {
    const valid = 'Valid extensions are .yaml, .yml, .tpl, or .txt'
    report('error', name, `file extension '${extension}' not valid. ${valid}`)
  }
  if (!/^\.ya?ml$/i.test(extension) || text.trim() === '') return true
  const first = text.split('\n').find((line) => line.trim() !== '') ?? ''
  if (/^[ \t]/.test(first)) {
    report(
      'warning',
      name,
      `document starts with an illegal indent: ${stringifyJson(first)}, which may cause parsing problems`,
    )
  }
  for (const document of lintDocuments(text)) {
    if (typeof document === 'string') {
      report('error', name, `unable to parse YAML: ${document}`)
      return false
    }
    lintObject(name, document, text, capabilities, report)
    for (const problem of problemsIn(document, problemsOf)) report('error', name, problem)
    for (const warning of problemsIn(document, warningsOf)) report('warning', name, warning)
  }
  return true
}

function problemsIn(
  { apiVersion, kind, name, value }: LintDocument,
  problemsOf: LintOptions['problemsOf'],
): readonly string[] {
  if (problemsOf === undefined || apiVersion === '' || kind === '' || name === '') return []
  const metadata = { ...(value['metadata'] as Record<string, unknown>), name }
  return problemsOf({ ...value, apiVersion, kind, metadata })
}

function lintObject(
  file: string,
  document: LintDocument,
  text: string,
  { kubeVersion }: Capabilities,
  report: Report,
): void {
  const { apiVersion, kind, name, value } = document
  if (!isObjectName(kind, name)) {
    report('warning', file, `object name does not conform to Kubernetes naming requirements: ${stringifyJson(name)}`)
  }
  const [, major = '1', minor = '0'] = /^v?(\d+)\.(\d+)/.exec(parseKubeVersion(kubeVersion).version) ?? []
  const deprecation = deprecationOf(apiVersion, kind, Number(major), Number(minor))
  if (deprecation !== undefined) report('warning', file, deprecation)
  const selects = ['Deployment', 'ReplicaSet', 'DaemonSet', 'StatefulSet'].includes(kind)
  if (selects && !text.includes('matchLabels') && !text.includes('matchExpressions')) {
    report('error', file, `a ${kind} must contain matchLabels or matchExpressions, and ${stringifyJson(name)} does not`)
  }
  if (kind === 'List' && itemsOf(value).some(keepsItself)) {
    report('error', file, "annotation 'helm.sh/resource-policy' within List objects are ignored")
  }
}

function itemsOf({ items }: LintDocument['value']): unknown[] {
  return Array.isArray(items) ? items : []
}

function keepsItself(item: unknown): boolean {
  const metadata = isRecord(item) ? item['metadata'] : undefined
  const annotations = isRecord(metadata) ? metadata['annotations'] : undefined
  return isRecord(annotations) && Object.hasOwn(annotations, 'helm.sh/resource-policy')
}
