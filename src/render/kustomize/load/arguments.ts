import { type Decoded, flag, listOf, optional, shape, text, textMap, whole } from './decode.ts'

const gvkFields = { group: text, version: text, kind: text }
const idFields = { ...gvkFields, name: text, namespace: text }

/** A place in objects of some kind. */
export const fieldSpec = shape({ ...gvkFields, path: text, create: flag })

/** Which resources something applies to. */
export const selector = shape({ ...idFields, annotationSelector: text, labelSelector: text })

const fieldOptions = shape({ delimiter: text, index: whole, encoding: text, create: flag })

/** What a replacement takes, and where it puts it. */
export const replacement = shape({
  source: optional(shape({ ...idFields, fieldPath: text, options: optional(fieldOptions) })),
  sourceValue: optional(text),
  targets: optional(
    listOf(
      shape({
        select: optional(selector),
        reject: listOf(selector),
        fieldPaths: listOf(text),
        options: optional(fieldOptions),
      }),
    ),
  ),
})

const replacementEntry = (value: unknown, place: Parameters<typeof replacement>[1]) => {
  const { path } = shape({ path: text })(value, { ...place, strict: false })
  const { path: _, ...rest } = (value ?? {}) as Record<string, unknown>
  return { path, ...replacement(rest, place) }
}

/** Replacements, each inline or in a file of its own. */
export const replacementEntries = listOf(replacementEntry)

/** Options of generators, for one or for all. */
export const generatorOptions = shape({
  labels: textMap,
  annotations: textMap,
  disableNameSuffixHash: flag,
  immutable: flag,
})

const generatorFields = {
  namespace: text,
  name: text,
  behavior: text,
  literals: listOf(text),
  files: listOf(text),
  envs: listOf(text),
  env: text,
  options: optional(generatorOptions),
}

/** The arguments of a ConfigMap generator. */
export const configMapArgs = shape(generatorFields)

/** The arguments of a Secret generator. */
export const secretArgs = shape({ ...generatorFields, type: text })

/** A patch and what it applies to. */
export const patchArgs = shape({
  path: text,
  patch: text,
  target: optional(selector),
  options: optional(shape({ allowNameChange: flag, allowKindChange: flag })),
})

/** A new name, tag or digest for an image. */
export const imageArgs = shape({ name: text, newName: text, tagSuffix: text, newTag: text, digest: text })

/** A number of replicas for a workload. */
export const replicaArgs = shape({ name: text, count: whole })

/** Labels and where they are added. */
export const labelArgs = shape({
  pairs: textMap,
  includeSelectors: flag,
  includeTemplates: flag,
  includeVolumeClaimTemplates: flag,
  fields: listOf(fieldSpec),
})

/** A legacy var. */
export const varArgs = shape({
  name: text,
  objref: shape({ apiVersion: text, ...gvkFields, name: text, namespace: text }),
  fieldref: shape({ fieldPath: text }),
})

/** The order of the output. */
export const sortOptions = shape({
  order: text,
  legacySortOptions: optional(shape({ orderFirst: listOf(text), orderLast: listOf(text) })),
})

/** Options of generators, for one or for all. */
export type GeneratorOptions = Decoded<typeof generatorOptions>

/** The arguments of a generator. */
export type GeneratorArgs = Decoded<typeof configMapArgs> & { readonly type?: string }

/** A patch and what it applies to. */
export type PatchArgs = Decoded<typeof patchArgs>

/** Which resources something applies to. */
export type Selector = Decoded<typeof selector>

/** What a replacement takes, and where it puts it. */
export type Replacement = Decoded<typeof replacement>

/** How a replacement takes or sets part of a field. */
export type FieldOptions = Decoded<typeof fieldOptions>

/** A legacy var. */
export type Var = Decoded<typeof varArgs>

/** The order of the output. */
export type SortOptions = Decoded<typeof sortOptions>
