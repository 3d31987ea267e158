import { LadingError, stringifyJson } from '../../../core/index.ts'
import type { Target } from '../target.ts'
import { type Decoder, flag, listOf, optional, shape, text, textMap } from '../load/decode.ts'
import { fieldSpec, imageArgs, patchArgs, replacementEntries, replicaArgs, selector } from '../load/arguments.ts'
import { readResources } from '../resource/read-resources.ts'
import type { ResMap } from '../resource/res-map.ts'
import { addHashes } from '../transform/add-hashes.ts'
import { addValues } from '../transform/add-values.ts'
import { patchesStrategicMerge, patchJson6902 } from '../transform/legacy-patches.ts'
import { mergeById, patchResources } from '../transform/patch-resources.ts'
import { addPrefix, addSuffix } from '../transform/rename.ts'
import { loadReplacements, replaceFields } from '../transform/replace-fields.ts'
import { setImages } from '../transform/set-images.ts'
import { setTextsIn } from '../transform/set-labels.ts'
import { setNamespace, type SubjectMode } from '../transform/set-namespace.ts'
import { setReplicas } from '../transform/set-replicas.ts'

/** A transformer that a configuration asks for. */
type BuiltinTransformer = (resources: ResMap, config: unknown, target: Target) => void

const fieldSpecs = listOf(fieldSpec)

/** The transformers that kustomize has built in, by the kind of their configuration; they know no places but those they are given. */
export const builtinTransformers: ReadonlyMap<string, BuiltinTransformer> = new Map<string, BuiltinTransformer>([
  transformer('AnnotationsTransformer', { annotations: textMap, fieldSpecs }, (resources, config) =>
    setTextsIn(resources, config.annotations, config.fieldSpecs),
  ),
  transformer('LabelTransformer', { labels: textMap, fieldSpecs }, (resources, config) =>
    setTextsIn(resources, config.labels, config.fieldSpecs),
  ),
  transformer('PrefixTransformer', { prefix: text, fieldSpecs }, (resources, config) =>
    addPrefix(resources, config.prefix, demandSpecs(config.fieldSpecs)),
  ),
  transformer('SuffixTransformer', { suffix: text, fieldSpecs }, (resources, config) =>
    addSuffix(resources, config.suffix, demandSpecs(config.fieldSpecs)),
  ),
  transformer('PrefixSuffixTransformer', { prefix: text, suffix: text, fieldSpecs }, (resources, config) => {
    if (config.prefix !== '') addPrefix(resources, config.prefix, demandSpecs(config.fieldSpecs))
    if (config.suffix !== '') addSuffix(resources, config.suffix, demandSpecs(config.fieldSpecs))
  }),
  transformer('ImageTagTransformer', { imageTag: imageArgs, fieldSpecs }, (resources, config) =>
    setImages(resources, config.imageTag, config.fieldSpecs),
  ),
  transformer('ReplicaCountTransformer', { replica: replicaArgs, fieldSpecs }, (resources, config) =>
    setReplicas(resources, config.replica, config.fieldSpecs),
  ),
  transformer(
    'NamespaceTransformer',
    { metadata: shape({ namespace: text }), fieldSpecs, unsetOnly: flag, setRoleBindingSubjects: text },
    (resources, config) =>
      setNamespace(resources, config.metadata.namespace, config.fieldSpecs, {
        unsetOnly: config.unsetOnly,
        subjects: subjectMode(config.setRoleBindingSubjects),
      }),
  ),
  [
    'PatchTransformer',
    (resources, config, { loader, build }) =>
      patchResources(resources, patchArgs(config, place('PatchTransformer')), loader, build.schema.lookup),
  ],
  transformer(
    'PatchJson6902Transformer',
    { target: optional(selector), path: text, jsonOp: text },
    (resources, config, { loader }) =>
      patchJson6902(
        resources,
        { target: config.target, path: config.path, patch: config.jsonOp, options: undefined },
        loader,
      ),
  ),
  transformer('PatchStrategicMergeTransformer', { paths: listOf(text), patches: text }, (resources, config, target) => {
    const { lookup } = target.build.schema
    if (config.paths.length === 0 && config.patches === '') throw invalid('empty file path and empty patch content')
    patchesStrategicMerge(resources, config.paths, target.loader, lookup)
    if (config.patches === '') return
    const patches = readResources(config.patches, 'PatchStrategicMergeTransformer')
    mergeById(resources, patches, { name: false, kind: false }, lookup, 'PatchStrategicMergeTransformer')
  }),
  transformer('ReplacementTransformer', { replacements: replacementEntries }, (resources, config, { loader }) =>
    replaceFields(resources, loadReplacements(config.replacements, loader)),
  ),
  ['HashTransformer', addHashes],
  ['ValueAddTransformer', addValues],
])

function transformer<F extends Record<string, Decoder<unknown>>>(
  kind: string,
  fields: F,
  run: (resources: ResMap, config: ReturnType<ReturnType<typeof shape<F>>>, target: Target) => void,
): [string, BuiltinTransformer] {
  const decode = shape(fields)
  return [kind, (resources, config, target) => run(resources, decode(config, place(kind)), target)]
}

function place(kind: string) {
  return { file: kind, path: '', strict: false }
}

function demandSpecs<T>(specs: T[]): T[] {
  if (specs.length === 0) throw invalid('fieldSpecs is not expected to be nil')
  return specs
}

function subjectMode(mode: string): SubjectMode {
  if (mode === '' || mode === 'defaultOnly') return 'defaultOnly'
  if (mode === 'allServiceAccounts' || mode === 'none') return mode
  throw invalid(
    `invalid value ${stringifyJson(mode)} for setRoleBindingSubjects: must be defaultOnly, none or allServiceAccounts`,
  )
}

function invalid(problem: string): LadingError {
  return new LadingError('kustomize.invalid', problem, { field: 'transformers' })
}
