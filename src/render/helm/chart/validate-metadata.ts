import { LadingError, stringifyJson } from '../../../core/index.ts'
import { isVersion } from './version-range.ts'
import type { ChartMetadata, Dependency } from './chart.ts'

const aliasFormat = /^[a-zA-Z0-9_-]+$/
// Not in Helm: a name with a separator of any system, or a control character, never becomes part of a path.
const separators = /[/\\\0]/

/** Checks what Helm checks when it loads a chart, and gives the metadata with spaces normalised as Helm does. */
export function validateMetadata(metadata: ChartMetadata): ChartMetadata {
  const clean = sanitizeMetadata(metadata)
  const problem = problemOf(clean)
  if (problem !== undefined) {
    throw new LadingError('chart.invalid', `validation: ${problem}`, { chart: clean.name, file: 'Chart.yaml' })
  }
  return clean
}

function problemOf(metadata: ChartMetadata): string | undefined {
  const { name, version, type } = metadata
  if (name === '') return 'chart.metadata.name is required'
  if (name === '.' || name === '..') return `chart.metadata.name ${stringifyJson(name)} is not allowed`
  if (separators.test(name)) return `chart.metadata.name ${stringifyJson(name)} is invalid`
  if (version === '') return 'chart.metadata.version is required'
  if (!isVersion(version)) return `chart.metadata.version ${stringifyJson(version)} is invalid`
  if (type !== '' && type !== 'application' && type !== 'library') {
    return 'chart.metadata.type must be application or library'
  }
  return dependencyProblem(metadata.dependencies)
}

function dependencyProblem(dependencies: readonly Dependency[]): string | undefined {
  const seen = new Set<string>()
  for (const { name, alias } of dependencies) {
    if (alias !== '' && !aliasFormat.test(alias)) {
      return `dependency ${stringifyJson(name)} has disallowed characters in the alias`
    }
    const key = alias === '' ? name : alias
    if (seen.has(key)) return `more than one dependency with name or alias ${stringifyJson(key)}`
    seen.add(key)
  }
  return undefined
}

function sanitizeMetadata(metadata: ChartMetadata): ChartMetadata {
  return {
    ...metadata,
    name: sanitize(metadata.name),
    description: sanitize(metadata.description),
    home: sanitize(metadata.home),
    icon: sanitize(metadata.icon),
    condition: sanitize(metadata.condition),
    tags: sanitize(metadata.tags),
    appVersion: sanitize(metadata.appVersion),
    kubeVersion: sanitize(metadata.kubeVersion),
    sources: metadata.sources.map(sanitize),
    keywords: metadata.keywords.map(sanitize),
    maintainers: metadata.maintainers.map(({ name, email, url }) => ({
      name: sanitize(name),
      email: sanitize(email),
      url: sanitize(url),
    })),
    dependencies: metadata.dependencies.map((dependency) => ({
      ...dependency,
      name: sanitize(dependency.name),
      version: sanitize(dependency.version),
      repository: sanitize(dependency.repository),
      condition: sanitize(dependency.condition),
      tags: dependency.tags.map(sanitize),
    })),
  }
}

// Spaces of any kind become plain ones and what does not print is dropped.
function sanitize(text: string): string {
  return text.replaceAll(/[\t\n\v\f\r\u0085\u00a0\p{Z}]/gu, ' ').replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '')
}
