import type { Chart } from '../chart/chart.ts'
import type { Loaded, Report } from './lint-chart.ts'
import { lintDocuments } from './lint-documents.ts'
import type { LintInput } from './lint-input.ts'

/** Looks whether crds/ holds CustomResourceDefinitions, and nothing else. */
export async function lintCrds(input: LintInput, chart: Loaded, report: Report): Promise<void> {
  const kind = await input.kindOf('crds')
  if (kind === undefined) return
  if (kind === 'file') return report('error', 'crds/', 'not a directory')
  if (typeof chart === 'string') return report('error', 'crds/', chart)
  for (const { name, data } of crdFiles(chart)) {
    for (const document of lintDocuments(Buffer.from(data).toString('utf8'))) {
      if (typeof document === 'string') return report('error', name, `unable to parse YAML: ${document}`)
      if (!document.apiVersion.startsWith('apiextensions.k8s.io')) {
        report('error', name, "apiVersion is not in 'apiextensions.k8s.io'")
      }
      if (document.kind !== 'CustomResourceDefinition') {
        report('error', name, "object kind is not 'CustomResourceDefinition'")
      }
    }
  }
}

function crdFiles(chart: Chart): Chart['files'] {
  const own = chart.files.filter(({ name }) => name.startsWith('crds/') && /\.(?:yaml|yml|json)$/i.test(name))
  return [...own, ...chart.dependencies.flatMap(crdFiles)]
}
