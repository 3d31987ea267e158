import { dirname, extname, resolve } from 'node:path'
import { parse as parseToml, TomlError } from 'smol-toml'
import type { z } from 'zod'
import { defined, isLadingError, LadingError, parseDuration, readGivenFile, stringifyJson } from '../../core/index.ts'
import { decodeText, lineOf, parseYamlValue } from '../../core/yaml/index.ts'
import type { Component, ComponentProbe, ComponentSource, GitSource } from './component.ts'
import { type ComponentFile, componentSchema } from './component-schema.ts'
import { typeOfValue } from './input-value.ts'
import { tomlLineOf } from './toml-line.ts'

/** How a component file is written. */
export type ComponentFormat = 'toml' | 'yaml' | 'json'

const maxBytes = 4 * 1024 * 1024

/** Reads a component from a file: TOML, YAML or JSON by its name. */
export async function readComponent(path: string): Promise<Component> {
  const format = formats[extname(path).toLowerCase()]
  if (format === undefined) {
    throw new LadingError('config.invalid', `${path} is no component file: name it .toml, .yaml, .yml or .json`, {
      file: path,
    })
  }
  let bytes: Uint8Array
  try {
    bytes = await readGivenFile(path, { maxBytes })
  } catch (error) {
    if (isLadingError(error)) throw error
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const problem = missing ? `${path} does not exist` : `${path} cannot be read`
    throw new LadingError(missing ? 'file.not-found' : 'file.unreadable', problem, { file: path }, { cause: error })
  }
  return parseComponent(decodeText(bytes, path), format, path)
}

/** Reads a component from text; `file` names it in errors and says where its paths start. */
export function parseComponent(text: string, format: ComponentFormat, file: string): Component {
  const value = format === 'toml' ? readToml(text, file) : parseYamlValue(text, { file })
  const line = (path: readonly (string | number)[]): number =>
    format === 'toml' ? tomlLineOf(text, path) : lineOf(text, path)
  const result = componentSchema.safeParse(value, { reportInput: true })
  if (!result.success) throw issueError(result.error.issues, file, line)
  const refuse: Refuse = (path, problem) => {
    throw fieldError(file, line(path), fieldOf(path), problem)
  }
  refuseCombinations(result.data, refuse)
  refuseDefaults(result.data, refuse)
  return componentOf(result.data, file)
}

const formats: Readonly<Record<string, ComponentFormat>> = {
  '.toml': 'toml',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.json': 'json',
}

function readToml(text: string, file: string): unknown {
  try {
    return parseToml(text, { integersAsBigInt: 'asNeeded' })
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const problem = error.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '')
    throw new LadingError(
      'config.invalid',
      `${file}:${error.line}:${error.column}: ${problem}`,
      { file, line: error.line },
      { cause: error },
    )
  }
}

type Issue = z.core.$ZodIssue

/** Every problem that there is, one a line, so that a file is corrected at once. */
function issueError(issues: readonly Issue[], file: string, line: (path: (string | number)[]) => number): LadingError {
  const problems = issues.flatMap((issue) => {
    const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)))
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: [...path, key], problem: 'is no field of a component' }))
    }
    return [{ path, problem: problemOf(issue) }]
  })
  const first = problems[0]!
  const lines = problems.map(({ path, problem }) => `${file}:${line(path)}: ${fieldOf(path)} ${problem}`)
  const field = fieldOf(first.path)
  return new LadingError('config.invalid', lines.join('\n'), { file, line: line(first.path), field })
}

function problemOf(issue: Issue): string {
  if (issue.code === 'invalid_value') return `must be ${issue.values.map((value) => stringifyJson(value)).join(' or ')}`
  if (issue.code === 'invalid_type') {
    return issue.input === undefined ? `is required (${issue.expected})` : `must be of type ${issue.expected}`
  }
  return issue.message
}

function fieldOf(path: readonly (string | number)[]): string {
  return path.length === 0 ? 'the file' : path.join('.')
}

function fieldError(file: string, line: number, field: string, problem: string): LadingError {
  return new LadingError('config.invalid', `${file}:${line}: ${field} ${problem}`, { file, line, field })
}

type Refuse = (path: (string | number)[], problem: string) => never

function refuseDefaults({ inputs = {} }: ComponentFile, refuse: Refuse): void {
  for (const [name, { type, default: fallback }] of Object.entries(inputs)) {
    if (type === undefined || fallback === undefined || typeOfValue(fallback) === type) continue
    refuse(['inputs', name, 'default'], `is a ${typeOfValue(fallback)}, and the input is a ${type}`)
  }
}

/** What each field allows alone but not beside another one. */
function refuseCombinations(file: ComponentFile, refuse: Refuse): void {
  const sources = (['manifest', 'kustomize', 'program', 'oci_artifact'] as const).filter(
    (field) => file[field] !== undefined,
  )
  if (sources.length === 0)
    refuse(['name'], 'has nothing to build: give one of manifest, kustomize, program, oci_artifact')
  if (sources.length > 1) refuse([sources[1]!], `stands beside ${sources[0]}: give exactly one of them`)
  refuseRepository(file, sources[0]!, refuse)
  const { oci_artifact: artifact, health } = file
  if (artifact !== undefined && artifact.tag === undefined && artifact.digest === undefined) {
    refuse(['oci_artifact'], 'needs a tag or a digest')
  }
  if (artifact !== undefined && (health?.probes ?? []).length > 0) {
    refuse(['health', 'probes'], 'are given, and an artifact is deployed as it is: annotate the objects in it')
  }
  for (const [index, { type, port, command }] of (health?.probes ?? []).entries()) {
    const path = ['health', 'probes', index]
    if (type === 'http' && port === undefined) refuse(path, 'is an http probe without port')
    if (type === 'command' && command === undefined) refuse(path, 'is a command probe without command')
  }
}

function refuseRepository(file: ComponentFile, source: string, refuse: Refuse): void {
  const repositories = (['public_repo', 'connected_repo'] as const).filter((field) => file[field] !== undefined)
  if (repositories.length > 1) refuse(['connected_repo'], 'stands beside public_repo: give one of them')
  if (repositories.length > 0 && file.kustomize === undefined && file.program === undefined) {
    refuse([repositories[0]!], `is not possible with ${source}: a repository is for kustomize and program`)
  }
}

function componentOf(file: ComponentFile, path: string): Component {
  const { health = {} } = file
  const window = health.stabilization_window === undefined ? undefined : parseDuration(health.stabilization_window)
  return {
    name: file.name,
    namespace: file.namespace,
    source: sourceOf(file),
    inputs: Object.fromEntries(Object.entries(file.inputs ?? {}).map(([name, input]) => [name, inputOf(input)])),
    ...(file.drift_schedule === undefined ? {} : { driftSchedule: file.drift_schedule }),
    buildTimeoutMs: parseDuration(file.build_timeout ?? '5m')!,
    deployTimeoutMs: parseDuration(file.deploy_timeout ?? '15m')!,
    maxAutoRetries: file.max_auto_retries ?? 0,
    dependencies: file.dependencies ?? [],
    health: {
      enabled: health.enabled ?? true,
      ...(window === undefined ? {} : { stabilizationMs: window }),
      probes: (health.probes ?? []).map(probeOf),
    },
    file: path,
    folder: dirname(resolve(path)),
  }
}

function inputOf({ description, type, default: fallback }: NonNullable<ComponentFile['inputs']>[string]) {
  return defined({ description, type, default: fallback })
}

function sourceOf(file: ComponentFile): ComponentSource {
  if (file.manifest !== undefined) return { type: 'inline', manifest: file.manifest }
  if (file.oci_artifact !== undefined) {
    const { url, tag, digest, credentials_ref: credentialsRef } = file.oci_artifact
    return {
      type: 'oci_artifact',
      url,
      ...defined({ tag, digest, credentialsRef }),
    }
  }
  const repository = file.public_repo ?? file.connected_repo
  const git = repository === undefined ? {} : { git: gitOf(repository) }
  if (file.program !== undefined) {
    return { type: 'program', path: file.program.path, values: file.program.values ?? {}, ...git }
  }
  const { path, patches = [], enable_helm: enableHelm = false, load_restrictor: rule = 'rootOnly' } = file.kustomize!
  return { type: 'kustomize', path, patches, enableHelm, loadRestrictor: rule, ...git }
}

function gitOf({ repo, directory, branch, commit, submodules }: NonNullable<ComponentFile['public_repo']>): GitSource {
  return {
    url: repo,
    directory: directory ?? '.',
    submodules: submodules ?? false,
    ...defined({ ref: branch, commit }),
  }
}

function probeOf(probe: NonNullable<NonNullable<ComponentFile['health']>['probes']>[number]): ComponentProbe {
  const { kind, name, type, path, port, command } = probe
  return {
    kind,
    name,
    type,
    ...(path === undefined ? {} : { path }),
    ...(port === undefined ? {} : { port: String(port) }),
    ...(command === undefined ? {} : { command }),
  }
}
