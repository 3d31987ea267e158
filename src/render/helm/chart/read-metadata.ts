import { decodeText, parseYamlValue } from '../../../core/yaml/index.ts'
import { isLadingError, isRecord, LadingError } from '../../../core/index.ts'
import type { ChartLock, ChartMetadata, Dependency, Maintainer } from './chart.ts'
import { FieldMismatch, FieldReader, NullNode } from './decode-fields.ts'
import { writtenFloats } from './format-float.ts'

/** Reads Chart.yaml, not yet validated. A chart without an apiVersion is one of Helm 2, that is v1. */
export function readMetadata(data: Uint8Array, chartPath: string): ChartMetadata {
  return reading('Chart.yaml', data, chartPath, (value, floats) => {
    const metadata = metadataOf(new FieldReader(value, 'Metadata', 'v2.Metadata', floats))
    return metadata.apiVersion === '' ? { ...metadata, apiVersion: 'v1' } : metadata
  })
}

/** What requirements.yaml of a v1 chart adds: it is read over Chart.yaml, so any field may be in it. */
export function readRequirements(data: Uint8Array, metadata: ChartMetadata, chartPath: string): ChartMetadata {
  return reading('requirements.yaml', data, chartPath, (value) => {
    if (!isRecord(value)) return metadata
    const over = metadataOf(new FieldReader(value, 'Metadata', 'v2.Metadata'))
    const given = new Set(Object.keys(value).map((key) => key.toLowerCase()))
    const taken = Object.entries(over).filter(([key]) => given.has(key.toLowerCase()))
    return { ...metadata, ...Object.fromEntries(taken) }
  })
}

/** Reads Chart.lock or requirements.lock. */
export function readLock(data: Uint8Array, file: string, chartPath: string): ChartLock {
  return reading(file, data, chartPath, (value) => {
    const fields = new FieldReader(value, 'Lock', 'v2.Lock')
    const dependencies = fields.list('dependencies', '[]*v2.Dependency').map(dependencyOf)
    return { generated: fields.text('generated'), digest: fields.text('digest'), dependencies }
  })
}

function reading<T>(
  file: string,
  data: Uint8Array,
  chartPath: string,
  read: (value: unknown, floats: ReadonlySet<number>) => T,
): T {
  try {
    const text = decodeText(data, file)
    return read(parseYamlValue(text, { lenient: true, openEnd: true, file }), writtenFloats(text))
  } catch (error) {
    if (!isLadingError(error) && !(error instanceof FieldMismatch)) throw error
    if (error instanceof NullNode) {
      throw new LadingError('chart.invalid', error.message, { chart: chartPath, file }, { cause: error })
    }
    const place = error instanceof FieldMismatch ? 'error unmarshaling JSON: while decoding JSON: ' : ''
    throw new LadingError(
      'chart.invalid',
      `cannot load ${file}: ${place}${error.message}`,
      { chart: chartPath, file },
      { cause: error },
    )
  }
}

function metadataOf(fields: FieldReader): ChartMetadata {
  return {
    apiVersion: fields.text('apiVersion'),
    name: fields.text('name'),
    version: fields.text('version'),
    type: fields.text('type'),
    appVersion: fields.text('appVersion'),
    kubeVersion: fields.text('kubeVersion'),
    description: fields.text('description'),
    home: fields.text('home'),
    icon: fields.text('icon'),
    condition: fields.text('condition'),
    tags: fields.text('tags'),
    deprecated: fields.flag('deprecated'),
    sources: fields.texts('sources'),
    keywords: fields.texts('keywords'),
    maintainers: fields.list('maintainers', '[]*v2.Maintainer').map(maintainerOf),
    annotations: fields.textMap('annotations'),
    dependencies: fields.list('dependencies', '[]*v2.Dependency').map(dependencyOf),
  }
}

function maintainerOf(value: unknown): Maintainer {
  if (value === null) throw new NullNode('validation: maintainers must not contain empty or null nodes')
  const fields = new FieldReader(value, 'Metadata.maintainers', 'v2.Maintainer')
  return { name: fields.text('name'), email: fields.text('email'), url: fields.text('url') }
}

function dependencyOf(value: unknown): Dependency {
  if (value === null) throw new NullNode('validation: dependencies must not contain empty or null nodes')
  const fields = new FieldReader(value, 'Metadata.dependencies', 'v2.Dependency')
  return {
    name: fields.text('name'),
    version: fields.text('version'),
    repository: fields.text('repository'),
    condition: fields.text('condition'),
    tags: fields.texts('tags'),
    enabled: fields.flag('enabled'),
    importValues: fields.list('import-values'),
    alias: fields.text('alias'),
  }
}
