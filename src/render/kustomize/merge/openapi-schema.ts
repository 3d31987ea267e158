import { isRecord, LadingError } from '../../../core/index.ts'
import { parseDocuments } from '../../../core/yaml/index.ts'
import type { Target } from '../target.ts'
import type { MergeSchema, SchemaLookup } from './merge-schema.ts'

type Json = Readonly<Record<string, unknown>>

/** Takes the types of a kustomization's `openapi` field; the first kustomization that gives some decides. */
export function useOpenApi({ build, kustomization, loader }: Pick<Target, 'build' | 'kustomization' | 'loader'>): void {
  const path = kustomization.openapi?.['path']
  const version = kustomization.openapi?.['version']
  if (path !== undefined && version !== undefined) {
    throw new LadingError('kustomize.invalid', 'openapi: builtin version and custom schema provided, cannot use both', {
      field: 'openapi',
    })
  }
  if (version !== undefined && version !== '' && version !== 'v1.21.2') {
    throw new LadingError('kustomize.invalid', `openapi: the version ${version} is not built in`, {
      field: 'openapi.version',
    })
  }
  if (path === undefined || build.schema.isCustom) return
  const document = parseDocuments(loader.loadText(path), { file: path })[0]?.value
  if (!isRecord(document))
    throw new LadingError('schema.invalid', `openapi: ${path} is no OpenAPI document`, { file: path })
  build.schema = { lookup: openApiLookup(document), isCustom: true }
}

function openApiLookup(document: Json): SchemaLookup {
  const definitions = isRecord(document['definitions']) ? document['definitions'] : {}
  const types = new Map<string, Json>()
  for (const definition of Object.values(definitions)) {
    if (!isRecord(definition)) continue
    const kinds = definition['x-kubernetes-group-version-kind']
    for (const each of Array.isArray(kinds) ? kinds : []) {
      if (!isRecord(each)) continue
      const { group, version, kind } = each as Record<string, string>
      types.set(`${group === undefined || group === '' ? '' : `${group}/`}${version}/${kind}`, definition)
    }
  }
  return (apiVersion, kind) => schemaOf(types.get(`${apiVersion}/${kind}`), definitions)
}

function schemaOf(given: unknown, definitions: Json): MergeSchema | undefined {
  const schema = resolve(given, definitions)
  if (schema === undefined) return undefined
  const strategy = schema['x-kubernetes-patch-strategy']
  const merges = typeof strategy === 'string' && strategy.split(',').includes('merge')
  const { properties, additionalProperties, items } = schema
  return {
    field: (name) =>
      schemaOf(
        isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties,
        definitions,
      ),
    element: () => schemaOf(items, definitions),
    mergeKeys: merges ? mergeKeys(schema) : undefined,
  }
}

function mergeKeys(schema: Json): string[] {
  const list = schema['x-kubernetes-list-map-keys']
  if (Array.isArray(list)) return list.map(String)
  const key = schema['x-kubernetes-patch-merge-key']
  return typeof key === 'string' ? [key] : []
}

function resolve(given: unknown, definitions: Json): Json | undefined {
  let schema = given
  for (let hops = 0; hops < 100 && isRecord(schema); hops++) {
    const ref = schema['$ref']
    if (typeof ref !== 'string') return schema
    schema = definitions[ref.replace('#/definitions/', '')]
  }
  return undefined
}
