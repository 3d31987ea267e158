import { isLadingError, isRecord, LadingError, stringifyJson } from '../../core/index.ts'
import { decodeText, parseYamlValue } from '../../core/yaml/index.ts'
import { isVersion } from '../helm/chart/version-range.ts'
import type { Pack, PackDependency, PackMetadata } from './pack.ts'
import { readSchema } from './schema/read-schema.ts'

const maxDepth = 10
const schemaFiles = ['values.schema.yaml', 'values.schema.json', 'schema.yaml', 'schema.json']

/** Makes a pack of its files, packs below charts/ included; refuses what Sherpack refuses. */
export function loadPack(files: ReadonlyMap<string, Uint8Array>, depth = 0): Pack {
  if (depth > maxDepth) throw new LadingError('input.too-large', `packs are nested deeper than ${maxDepth}`)
  const packYaml = files.get('Pack.yaml')
  if (packYaml === undefined) throw new LadingError('pack.invalid', 'Pack.yaml is missing')
  const pack = mapOf(packYaml, 'Pack.yaml')
  if (pack['apiVersion'] !== 'sherpack/v1') {
    throw invalid(`apiVersion is ${stringifyJson(pack['apiVersion'])}, expected is "sherpack/v1"`)
  }
  const schema = schemaFiles.find((name) => files.has(name))
  const read = schema === undefined ? undefined : readSchema(mapOf(files.get(schema)!, schema), schema)
  const values = files.get('values.yaml')
  return {
    metadata: metadataOf(pack['metadata']),
    kind: kindOf(pack['kind']),
    dependencies: listOf(pack['dependencies'], 'dependencies').map(dependencyOf),
    strict: flagOf(pack['engine'], 'strict'),
    installsCrds: flagOf(pack['crds'], 'install'),
    values: values === undefined ? {} : mapOf(values, 'values.yaml'),
    ...(read === undefined ? {} : { schema: read.schema }),
    schemaDefaults: read?.defaults ?? {},
    templates: textsBelow(files, 'templates/', /\.(?:ya?ml|j2|jinja2|txt|json)$/i),
    crds: textsBelow(files, 'crds/', /\.ya?ml$/i),
    files,
    subpacks: subpacksOf(files, depth),
  }
}

function mapOf(data: Uint8Array, file: string): Record<string, unknown> {
  const value = parsed(data, file)
  if (value === null) return {}
  if (!isRecord(value)) throw new LadingError('pack.invalid', `${file} is no map`, { file })
  return value
}

function parsed(data: Uint8Array, file: string): unknown {
  try {
    return parseYamlValue(decodeText(data, file), { file })
  } catch (error) {
    if (!isLadingError(error)) throw error
    throw new LadingError('pack.invalid', error.message, { file }, { cause: error })
  }
}

function metadataOf(value: unknown): PackMetadata {
  if (!isRecord(value)) throw invalid('metadata is missing')
  const { name, version } = value
  // The name becomes part of paths and references wherever the pack goes.
  if (typeof name !== 'string' || !/^[a-zA-Z0-9][a-zA-Z0-9._-]*$/.test(name))
    throw invalid('metadata.name is no usable name')
  if (typeof version !== 'string' || !isVersion(version)) throw invalid('metadata.version is no semantic version')
  return { name, version, ...textField(value, 'description'), ...textField(value, 'appVersion') }
}

function kindOf(kind: unknown): Pack['kind'] {
  if (kind === undefined || kind === null || kind === 'application') return 'application'
  if (kind === 'library') return 'library'
  throw invalid(`kind is ${stringifyJson(kind)}, application and library are known`)
}

function dependencyOf(value: unknown, at: number): PackDependency {
  if (!isRecord(value) || typeof value['name'] !== 'string') throw invalid(`dependencies[${at}].name is missing`)
  return {
    name: value['name'],
    enabled: value['enabled'] !== false,
    ...textField(value, 'condition'),
    ...textField(value, 'alias'),
  }
}

function textField<Name extends string>(value: Record<string, unknown>, name: Name): { [Key in Name]?: string } {
  const text = value[name]
  if (text === undefined || text === null) return {}
  if (typeof text !== 'string') throw invalid(`${name} is no text: quote it`)
  return { [name]: text } as { [Key in Name]?: string }
}

function listOf(value: unknown, field: string): unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw invalid(`${field} is no list`)
  return value
}

function flagOf(section: unknown, name: string): boolean {
  return !(isRecord(section) && section[name] === false)
}

function textsBelow(files: ReadonlyMap<string, Uint8Array>, folder: string, wanted: RegExp): Map<string, string> {
  const found = [...files].filter(([path]) => path.startsWith(folder) && wanted.test(path))
  const sorted = found.sort(([a], [b]) => (a < b ? -1 : 1))
  return new Map(sorted.map(([path, data]) => [path.slice(folder.length), decodeText(data, path)]))
}

function subpacksOf(files: ReadonlyMap<string, Uint8Array>, depth: number): Map<string, Pack> {
  const folders = new Map<string, Map<string, Uint8Array>>()
  for (const [path, data] of files) {
    const [, folder = '', below = ''] = /^charts\/([^/]+)\/(.+)$/s.exec(path) ?? []
    if (folder === '') continue
    const own = folders.get(folder) ?? new Map<string, Uint8Array>()
    folders.set(folder, own.set(below, data))
  }
  const sorted = [...folders].sort(([a], [b]) => (a < b ? -1 : 1))
  return new Map(sorted.map(([folder, own]) => [folder, subpack(folder, own, depth)]))
}

function subpack(folder: string, files: ReadonlyMap<string, Uint8Array>, depth: number): Pack {
  try {
    return loadPack(files, depth + 1)
  } catch (error) {
    if (!isLadingError(error)) throw error
    throw new LadingError(error.code, `charts/${folder}: ${error.message}`, error.details, { cause: error })
  }
}

function invalid(problem: string): LadingError {
  return new LadingError('pack.invalid', `Pack.yaml: ${problem}`, { file: 'Pack.yaml' })
}
