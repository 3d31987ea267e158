import type { Accumulator } from './accumulator.ts'
import { mergeSpecs } from './config/field-spec.ts'
import { builtinOrigin, type Origin } from './resource/origin.ts'
import type { Target } from './target.ts'
import { finishTransformer } from './transform/finish-transformer.ts'
import { patchesStrategicMerge, patchJson6902 } from './transform/legacy-patches.ts'
import { patchResources } from './transform/patch-resources.ts'
import { addPrefix, addSuffix } from './transform/rename.ts'
import { loadReplacements, replaceFields } from './transform/replace-fields.ts'
import { setImages } from './transform/set-images.ts'
import { setTextsIn } from './transform/set-labels.ts'
import { setNamespace } from './transform/set-namespace.ts'
import { setReplicas } from './transform/set-replicas.ts'

const metadataLabels = { group: '', version: '', kind: '', path: 'metadata/labels', create: true }

/** Runs the transformers of a kustomization in kustomize's order: patches first, replacements last. */
export function runTransformers(target: Target, accumulator: Accumulator): void {
  const { kustomization: k, loader, build } = target
  const { config, resources } = accumulator
  const lookup = build.schema.lookup
  const run = (kind: string, transform: () => void): void => {
    transform()
    finishTransformer(resources, originOf(target, kind), kind.startsWith('Patch'))
  }
  if (k.patchesStrategicMerge.length > 0) {
    run('PatchStrategicMergeTransformer', () =>
      patchesStrategicMerge(resources, k.patchesStrategicMerge, loader, lookup),
    )
  }
  for (const patch of k.patches) run('PatchTransformer', () => patchResources(resources, patch, loader, lookup))
  if (k.namespace !== '') {
    run('NamespaceTransformer', () => setNamespace(resources, k.namespace, config.namespace))
  }
  if (k.namePrefix !== '') run('PrefixTransformer', () => addPrefix(resources, k.namePrefix, config.namePrefix))
  if (k.nameSuffix !== '') run('SuffixTransformer', () => addSuffix(resources, k.nameSuffix, config.nameSuffix))
  for (const label of k.labels) {
    run('LabelTransformer', () => setTextsIn(resources, label.pairs, labelSpecs(label, accumulator)))
  }
  if (k.labels.length > 0 || Object.keys(k.commonLabels).length > 0) {
    run('LabelTransformer', () => setTextsIn(resources, k.commonLabels, config.commonLabels))
  }
  if (Object.keys(k.commonAnnotations).length > 0) {
    run('AnnotationsTransformer', () => setTextsIn(resources, k.commonAnnotations, config.commonAnnotations))
  }
  for (const patch of k.patchesJson6902) run('PatchJson6902Transformer', () => patchJson6902(resources, patch, loader))
  for (const replica of k.replicas)
    run('ReplicaCountTransformer', () => setReplicas(resources, replica, config.replicas))
  for (const image of k.images) run('ImageTagTransformer', () => setImages(resources, image, config.images))
  if (k.replacements.length > 0) {
    run('ReplacementTransformer', () => replaceFields(resources, loadReplacements(k.replacements, loader)))
  }
}

function originOf({ build, kustomization, place }: Target, kind: string): Origin | undefined {
  return build.tracksOrigin ? builtinOrigin(place, kustomization.fileName, kind) : undefined
}

type LabelArgs = Target['kustomization']['labels'][number]

function labelSpecs(label: LabelArgs, { config }: Accumulator) {
  let specs = mergeSpecs(label.fields, config.labels)
  if (label.includeSelectors) return mergeSpecs(specs, config.commonLabels)
  if (label.includeTemplates) specs = mergeSpecs(specs, config.templateLabels)
  if (label.includeVolumeClaimTemplates) specs = mergeSpecs(specs, config.volumeClaimTemplateLabels)
  return mergeSpecs(specs, [metadataLabels])
}
