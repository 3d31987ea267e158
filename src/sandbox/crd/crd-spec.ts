import { isDeepStrictEqual } from 'node:util'
import { isRecord, type KubeObject } from '../../core/index.ts'
import type { RawSchema } from '../../schema/index.ts'

/** The finalizer that holds a CustomResourceDefinition until its objects are gone. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'

/** The names that a CustomResourceDefinition asks for. */
export interface CrdNames {
  plural?: string
  singular?: string
  kind?: string
  listKind?: string
  shortNames?: string[]
  categories?: string[]
}

/** One version that a CustomResourceDefinition declares. */
export interface CrdVersion {
  name?: string
  served?: boolean
  storage?: boolean
  deprecated?: boolean
  deprecationWarning?: string
  schema?: { openAPIV3Schema?: RawSchema }
  subresources?: { status?: object; scale?: ScalePaths }
  additionalPrinterColumns?: { name?: string; type?: string; jsonPath?: string }[]
}

/** Where the scale subresource reads and writes in a custom resource. */
export interface ScalePaths {
  specReplicasPath?: string
  statusReplicasPath?: string
  labelSelectorPath?: string
}

/** What a CustomResourceDefinition declares. */
export interface CrdSpec {
  group?: string
  scope?: string
  names: CrdNames
  versions: CrdVersion[]
  conversion?: { strategy?: string; webhook?: { clientConfig?: object; conversionReviewVersions?: string[] } }
  preserveUnknownFields?: boolean
}

/** The spec of a stored CustomResourceDefinition; missing parts are empty. */
export function crdSpec(crd: KubeObject): CrdSpec {
  const spec = isRecord(crd['spec']) ? crd['spec'] : {}
  const names = isRecord(spec['names']) ? spec['names'] : {}
  const versions: unknown = spec['versions']
  return { ...spec, names, versions: Array.isArray(versions) ? versions.filter(isRecord) : [] }
}

/** One version of a CustomResourceDefinition by its name. */
export function crdVersion(crd: KubeObject, name: string): CrdVersion | undefined {
  return crdSpec(crd).versions.find((version) => version.name === name)
}

/** Where refusals place a part of a version: at the top when all versions agree on it, as the API server keeps it. */
export function partPath(
  versions: readonly CrdVersion[],
  index: number,
  part: 'schema' | 'other',
  below: string,
): string {
  const pick = ({ schema, subresources, additionalPrinterColumns }: CrdVersion): unknown =>
    part === 'schema' ? schema : [subresources, additionalPrinterColumns]
  const agreed = versions.every((version) => isDeepStrictEqual(pick(version), pick(versions[0] ?? {})))
  if (!agreed) return part === 'schema' ? `spec.versions[${index}].schema.${below}` : `spec.versions[${index}].${below}`
  return part === 'schema' ? `spec.validation.${below}` : `spec.${below}`
}
