import { readFileSync } from 'node:fs'
import { sameGvk, type Gvk } from '../resource/gvk.ts'
import { type FieldSpec, mergeSpecs, sortSpecs } from './field-spec.ts'

/** The fields that refer to objects of a kind by name. */
export interface NameReference extends Gvk {
  readonly fieldSpecs: readonly FieldSpec[]
}

/** Where each transformer makes its changes. */
export interface TransformerConfig {
  readonly namePrefix: readonly FieldSpec[]
  readonly nameSuffix: readonly FieldSpec[]
  readonly namespace: readonly FieldSpec[]
  readonly commonLabels: readonly FieldSpec[]
  readonly labels: readonly FieldSpec[]
  readonly templateLabels: readonly FieldSpec[]
  readonly volumeClaimTemplateLabels: readonly FieldSpec[]
  readonly commonAnnotations: readonly FieldSpec[]
  readonly varReference: readonly FieldSpec[]
  readonly images: readonly FieldSpec[]
  readonly replicas: readonly FieldSpec[]
  readonly nameReference: readonly NameReference[]
}

/** A configuration that changes nothing anywhere. */
export const emptyConfig: TransformerConfig = {
  namePrefix: [],
  nameSuffix: [],
  namespace: [],
  commonLabels: [],
  labels: [],
  templateLabels: [],
  volumeClaimTemplateLabels: [],
  commonAnnotations: [],
  varReference: [],
  images: [],
  replicas: [],
  nameReference: [],
}

type Rows = Readonly<Record<string, readonly string[]>> & {
  readonly nameReference: Readonly<Record<string, readonly string[]>>
}

/** The places that kustomize knows without being told. */
export function defaultConfig(): TransformerConfig {
  // oxlint-disable-next-line no-restricted-properties -- a data file of this package, without large numbers
  const rows = JSON.parse(readFileSync(new URL('../data/field-specs.json', import.meta.url), 'utf8')) as Rows
  const specs = (name: string) => sortSpecs((rows[name] ?? []).map(parseSpec))
  return {
    namePrefix: specs('namePrefix'),
    nameSuffix: specs('nameSuffix'),
    namespace: specs('namespace'),
    commonLabels: specs('commonLabels'),
    labels: [],
    templateLabels: specs('templateLabels'),
    volumeClaimTemplateLabels: specs('volumeClaimTemplateLabels'),
    commonAnnotations: specs('commonAnnotations'),
    varReference: specs('varReference'),
    images: specs('images'),
    replicas: specs('replicas'),
    nameReference: sortSpecs(
      Object.entries(rows.nameReference).map(([target, referrers]) => {
        const [kind, groupVersion] = target.split(' ')
        return { ...parseGvk(kind, groupVersion), fieldSpecs: referrers.map(parseSpec) }
      }),
    ),
  }
}

/** Adds one configuration to another. */
export function mergeConfigs(base: TransformerConfig, more: TransformerConfig): TransformerConfig {
  if (more === emptyConfig || more === base) return base
  if (base === emptyConfig) return more
  const merge = (name: Exclude<keyof TransformerConfig, 'nameReference'>) =>
    sortSpecs(mergeSpecs(base[name], more[name]))
  return {
    namePrefix: merge('namePrefix'),
    nameSuffix: merge('nameSuffix'),
    namespace: merge('namespace'),
    commonLabels: merge('commonLabels'),
    labels: merge('labels'),
    templateLabels: merge('templateLabels'),
    volumeClaimTemplateLabels: merge('volumeClaimTemplateLabels'),
    commonAnnotations: merge('commonAnnotations'),
    varReference: merge('varReference'),
    images: merge('images'),
    replicas: merge('replicas'),
    nameReference: sortSpecs(mergeReferences(base.nameReference, more.nameReference)),
  }
}

function mergeReferences(base: readonly NameReference[], more: readonly NameReference[]): NameReference[] {
  const merged = [...base]
  for (const reference of more) {
    const index = merged.findIndex((each) => sameGvk(each, reference))
    if (index < 0) merged.push(reference)
    else merged[index] = { ...reference, fieldSpecs: mergeSpecs(merged[index]!.fieldSpecs, reference.fieldSpecs) }
  }
  return merged
}

function parseSpec(row: string): FieldSpec {
  const [path, kind, groupVersion, create] = row.split(' ')
  return { ...parseGvk(kind, groupVersion), path: path!, create: create === 'create' }
}

function parseGvk(kind = '*', groupVersion = '*'): Gvk {
  // The version stands behind the last slash: kustomize's table has a group that contains one.
  const slash = groupVersion.lastIndexOf('/')
  const isAny = groupVersion === '*'
  return {
    group: isAny ? '' : groupVersion.slice(0, slash),
    version: isAny ? '' : groupVersion.slice(slash + 1),
    kind: kind === '*' ? '' : kind,
  }
}
