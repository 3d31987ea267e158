import { isRecord, LadingError } from '../../core/index.ts'
import type { ArchiveFile } from '../../core/tar/index.ts'
import { decodeText, parseYamlValue } from '../../core/yaml/index.ts'

/** What Chart.yaml says; `name` and `version` are there. */
export interface ChartMetadata {
  readonly name: string
  readonly version: string
  readonly [field: string]: unknown
}

/** Reads the Chart.yaml of an unpacked chart archive: everything in it must lie in the one folder that the chart is named by. */
export function readChartMetadata(files: ReadonlyMap<string, ArchiveFile>): ChartMetadata {
  const folders = new Set([...files.keys()].map((name) => (name.includes('/') ? name.slice(0, name.indexOf('/')) : '')))
  const [folder = ''] = folders
  if (folders.size !== 1 || folder === '') throw invalid('does not hold everything in one folder')
  const file = files.get(`${folder}/Chart.yaml`)
  if (file === undefined) throw invalid('has no Chart.yaml')
  const metadata = parseYamlValue(decodeText(file.content, 'Chart.yaml'), { file: 'Chart.yaml' })
  if (!isRecord(metadata)) throw invalid('has a Chart.yaml that is no map')
  const { name, version } = metadata
  // The name becomes part of paths and references wherever the chart goes (CVE-2026-35206).
  if (typeof name !== 'string' || !/^[a-zA-Z0-9][a-zA-Z0-9._-]*$/.test(name)) throw invalid('has no usable name')
  if (typeof version !== 'string' || !semver.test(version)) throw invalid('has no semantic version')
  if (name !== folder) throw invalid(`is named ${name} and lies in the folder ${folder}`)
  return { ...metadata, name, version }
}

const semver = /^v?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/

function invalid(what: string): LadingError {
  return new LadingError('artifact.invalid', `the chart archive ${what}`)
}
