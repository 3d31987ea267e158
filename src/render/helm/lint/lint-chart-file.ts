import { isLadingError, isRecord, stringifyJson } from '../../../core/index.ts'
import { decodeText, parseYamlValue } from '../../../core/yaml/index.ts'
import type { ChartMetadata } from '../chart/chart.ts'
import { readMetadata } from '../chart/read-metadata.ts'
import { parseVersion } from '../semver/version.ts'
import { parseConstraint, satisfies } from '../semver/constraint.ts'
import { isEmail, isRequestUrl, isUrl } from './contact.ts'
import type { Report } from './lint-chart.ts'
import type { LintInput } from './lint-input.ts'

const file = 'Chart.yaml'

/** Looks at every field of Chart.yaml; says whether its apiVersion, where it can be read, is one that Helm knows. */
export async function lintChartFile(input: LintInput, report: Report): Promise<boolean> {
  if ((await input.kindOf(file)) === 'folder') report('error', file, 'should be a file, not a directory')
  const data = await input.read(file)
  const read = data === undefined ? 'it cannot be read' : readFile(data)
  if (typeof read === 'string') {
    report('error', file, `unable to parse YAML\n\t${read}`)
    return true
  }
  const { metadata, fields, strictProblem } = read
  const error = (problem: string | undefined) => problem !== undefined && report('error', file, problem)
  if (strictProblem !== undefined)
    report('warning', file, `failed to strictly parse chart metadata file\n\t${strictProblem}`)
  error(nameProblem(metadata))
  error(apiVersionProblem(textOf(fields['apiVersion'])))
  error(typeProblem(fields, 'version'))
  error(versionProblem(metadata.version))
  error(typeProblem(fields, 'appVersion'))
  error(maintainerProblem(metadata))
  const source = metadata.sources.find((each) => !isRequestUrl(each))
  error(source === undefined ? undefined : `invalid source URL '${source}'`)
  if (metadata.icon === '') report('info', file, 'icon is recommended')
  error(metadata.icon === '' || isRequestUrl(metadata.icon) ? undefined : `invalid icon URL '${metadata.icon}'`)
  error(onlyInV2(metadata.type !== '', textOf(fields['apiVersion']), 'chart type is', 'It is'))
  error(onlyInV2(metadata.dependencies.length > 0, textOf(fields['apiVersion']), 'dependencies are', 'They are'))
  if (!strictVersion.test(metadata.version))
    report('warning', file, `version '${metadata.version}' is not a valid SemVerV2`)
  return ['', 'v1', 'v2'].includes(textOf(fields['apiVersion']))
}

const strictVersion =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/

interface ChartFileContent {
  readonly metadata: ChartMetadata
  readonly fields: Readonly<Record<string, unknown>>
  readonly strictProblem: string | undefined
}

function readFile(data: Uint8Array): ChartFileContent | string {
  try {
    const metadata = readMetadata(data, '')
    const value = parseYamlValue(decodeText(data, file), { lenient: true })
    const fields = isRecord(value) ? value : {}
    return { metadata, fields, strictProblem: strictProblem(data, fields, metadata) }
  } catch (error) {
    if (isLadingError(error)) return error.message
    throw error
  }
}

function strictProblem(
  data: Uint8Array,
  fields: Readonly<Record<string, unknown>>,
  metadata: ChartMetadata,
): string | undefined {
  try {
    parseYamlValue(decodeText(data, file))
  } catch (error) {
    if (isLadingError(error)) return error.message
    throw error
  }
  // Go matches the names of fields without regard to case.
  const known = new Set(Object.keys(metadata).map((key) => key.toLowerCase()))
  const unknown = Object.keys(fields).find((key) => !known.has(key.toLowerCase()))
  if (unknown !== undefined) return `unknown field ${stringifyJson(unknown)}`
  return (
    unknownIn(fields['dependencies'], dependencyFields) ?? unknownIn(fields['maintainers'], ['name', 'email', 'url'])
  )
}

const dependencyFields = ['name', 'version', 'repository', 'condition', 'tags', 'enabled', 'import-values', 'alias']

function unknownIn(rows: unknown, known: readonly string[]): string | undefined {
  const keys = Array.isArray(rows) ? rows.flatMap((row) => (isRecord(row) ? Object.keys(row) : [])) : []
  const unknown = keys.find((key) => !known.includes(key.toLowerCase()))
  return unknown === undefined ? undefined : `unknown field ${stringifyJson(unknown)}`
}

function nameProblem({ name }: ChartMetadata): string | undefined {
  if (name === '') return 'name is required'
  return name.includes('/') ? `chart name ${stringifyJson(name)} is invalid` : undefined
}

function apiVersionProblem(apiVersion: string): string | undefined {
  if (apiVersion === '') return 'apiVersion is required. The value must be either "v1" or "v2"'
  if (apiVersion === 'v1' || apiVersion === 'v2') return undefined
  return `apiVersion '${apiVersion}' is not valid. The value must be either "v1" or "v2"`
}

function typeProblem(fields: Readonly<Record<string, unknown>>, key: string): string | undefined {
  if (!Object.hasOwn(fields, key) || typeof fields[key] === 'string') return undefined
  const kinds: Readonly<Record<string, string>> = { number: 'float64', bigint: 'float64', boolean: 'bool' }
  return `${key} should be of type string but it's of type ${kinds[typeof fields[key]] ?? '<nil>'}`
}

function versionProblem(version: string): string | undefined {
  if (version === '') return 'version is required'
  const parsed = parseVersion(version)
  if (typeof parsed === 'string') return `version '${version}' is not a valid SemVer`
  const constraint = parseConstraint('>0.0.0-0')
  if (typeof constraint === 'string' || satisfies(parsed, constraint)) return undefined
  return `version ${version} is less than or equal to 0.0.0-0`
}

function maintainerProblem({ maintainers }: ChartMetadata): string | undefined {
  for (const { name, email, url } of maintainers) {
    if (name === '') return 'each maintainer requires a name'
    if (email !== '' && !isEmail(email)) return `invalid email '${email}' for maintainer '${name}'`
    if (url !== '' && !isUrl(url)) return `invalid url '${url}' for maintainer '${name}'`
  }
  return undefined
}

function onlyInV2(isGiven: boolean, apiVersion: string, what: string, pronoun: string): string | undefined {
  if (!isGiven || apiVersion === 'v2') return undefined
  return `${what} not valid in the Chart file with apiVersion '${apiVersion}'. ${pronoun} valid in apiVersion 'v2'`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
