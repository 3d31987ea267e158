import { parseDocuments } from '../../../core/yaml/index.ts'
import { listOf, shape, text } from '../load/decode.ts'
import { fieldSpec } from '../load/arguments.ts'
import type { Loader } from '../load/loader.ts'
import type { Gvk } from '../resource/gvk.ts'
import { sortSpecs } from './field-spec.ts'
import { emptyConfig, mergeConfigs, type TransformerConfig } from './transformer-config.ts'

const specs = listOf(fieldSpec)
const configuration = shape({
  namePrefix: specs,
  nameSuffix: specs,
  namespace: specs,
  commonLabels: specs,
  labels: specs,
  templateLabels: specs,
  volumeClaimTemplateLabels: specs,
  commonAnnotations: specs,
  varReference: specs,
  images: specs,
  replicas: specs,
  nameReference: listOf(shape({ group: text, version: text, kind: text, fieldSpecs: specs })),
})

/** Adds the field specifications of configuration files to the ones that are known anyway. */
export function loadConfigurations(
  loader: Loader,
  paths: readonly string[],
  defaults: TransformerConfig,
): TransformerConfig {
  if (paths.length === 0) return defaults
  const own = paths.reduce<TransformerConfig>(
    (merged, path) => mergeConfigs(merged, loadConfiguration(loader, path)),
    emptyConfig,
  )
  return mergeConfigs(defaults, own)
}

function loadConfiguration(loader: Loader, path: string): TransformerConfig {
  const content = parseDocuments(loader.loadText(path), { file: path })[0]?.value
  const config = configuration(content, { file: path, path: '', strict: true })
  const sorted = Object.entries(config).map(([name, list]) => [name, sortSpecs<Gvk>(list)])
  return Object.fromEntries(sorted) as TransformerConfig
}
