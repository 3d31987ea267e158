import { isRecord, LadingError } from '../../../core/index.ts'
import { parseDocuments } from '../../../core/yaml/index.ts'
import type { Loader } from '../load/loader.ts'
import type { Gvk } from '../resource/gvk.ts'
import type { FieldSpec } from './field-spec.ts'
import { emptyConfig, mergeConfigs, type TransformerConfig } from './transformer-config.ts'

type Types = Readonly<Record<string, unknown>>

/** Reads field specifications from the `x-kubernetes-…` marks in OpenAPI definitions of custom types. */
export function loadCrdConfigs(loader: Loader, paths: readonly string[]): TransformerConfig {
  let merged = emptyConfig
  for (const path of paths) {
    const types = parseDocuments(loader.loadText(path), { file: path })[0]?.value
    if (!isRecord(types)) {
      throw new LadingError('kustomize.invalid', `crds: ${path} holds no OpenAPI definitions`, {
        file: path,
        field: 'crds',
      })
    }
    for (const [name, type] of Object.entries(types)) {
      if (!looksLikeObject(propertiesOf(type))) continue
      const gvk = { group: '', version: '', kind: name.split('.').at(-1)! }
      merged = mergeConfigs(merged, configOf(gvk, types, name, [], []))
    }
  }
  return merged
}

function configOf(
  gvk: Gvk,
  types: Types,
  typeName: string,
  path: readonly string[],
  seen: readonly string[],
): TransformerConfig {
  let config = emptyConfig
  if (!Object.hasOwn(types, typeName) || seen.includes(typeName)) return config
  for (const [name, property] of Object.entries(propertiesOf(types[typeName]))) {
    if (!isRecord(property)) continue
    const here = [...path, name]
    const spec = specAt(gvk, here)
    if (hasText(property, 'x-kubernetes-annotation')) config = add(config, { commonAnnotations: [spec] })
    if (hasText(property, 'x-kubernetes-label-selector')) config = add(config, { commonLabels: [spec] })
    if (hasText(property, 'x-kubernetes-identity')) config = add(config, { namePrefix: [spec] })
    const version = property['x-kubernetes-object-ref-api-version']
    const kind = property['x-kubernetes-object-ref-kind']
    if (typeof version === 'string' && typeof kind === 'string') {
      const nameKey = property['x-kubernetes-object-ref-name-key']
      const fieldSpecs = [specAt(gvk, [...here, typeof nameKey === 'string' ? nameKey : 'name'])]
      config = add(config, { nameReference: [{ group: '', version, kind, fieldSpecs }] })
    }
    const ref = property['$ref']
    if (typeof ref === 'string') config = mergeConfigs(config, configOf(gvk, types, ref, here, [...seen, typeName]))
  }
  return config
}

function add(config: TransformerConfig, more: Partial<TransformerConfig>): TransformerConfig {
  return mergeConfigs(config, { ...emptyConfig, ...more })
}

function specAt(gvk: Gvk, path: readonly string[]): FieldSpec {
  return { ...gvk, path: path.join('/'), create: false }
}

function hasText(property: Types, key: string): boolean {
  return typeof property[key] === 'string'
}

function propertiesOf(type: unknown): Types {
  const schema = isRecord(type) ? (type['Schema'] ?? type['schema']) : undefined
  const properties = isRecord(schema) ? schema['properties'] : undefined
  return isRecord(properties) ? properties : {}
}

function looksLikeObject(properties: Types): boolean {
  return ['kind', 'apiVersion', 'metadata'].every((name) => Object.hasOwn(properties, name))
}
