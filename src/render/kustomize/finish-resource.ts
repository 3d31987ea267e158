import { writeDocument } from './write/render-yaml.ts'
import { defined, type KubeObject } from '../../core/index.ts'
import type { Origin } from './resource/origin.ts'
import type { Resource } from './resource/resource.ts'
import { toJson } from './yaml/value.ts'

const internal = 'internal.config.kubernetes.io/'
const originKey = 'config.kubernetes.io/origin'
const transformationsKey = 'alpha.config.kubernetes.io/transformations'

// What kustomize keeps during a build, under its present names and its older ones, and never writes.
const dropped = new Set([
  ...[
    'previousKinds',
    'previousNames',
    'prefixes',
    'suffixes',
    'previousNamespaces',
    'allowNameChange',
    'allowKindChange',
    'refBy',
    'generatorBehavior',
    'needsHashSuffix',
    'path',
    'index',
    'seqindent',
    'id',
    'annotations-migration-resource-id',
    'helm-generated',
  ].map((name) => `${internal}${name}`),
  'config.kubernetes.io/path',
  'config.kubernetes.io/index',
  'config.k8s.io/id',
  originKey,
  transformationsKey,
])

/** The object that a resource ends as: annotations are strings, and what was for the build only is gone. */
export function finishResource(resource: Resource, buildMetadata: readonly string[]): KubeObject {
  const annotations: Record<string, string> = {}
  for (const [key, text] of Object.entries(resource.texts('annotations'))) {
    if (!dropped.has(key)) annotations[key] = text
  }
  if (buildMetadata.includes('originAnnotations') && resource.origin !== undefined) {
    annotations[originKey] = writeDocument(plainOrigin(resource.origin))
  }
  if (buildMetadata.includes('transformerAnnotations') && resource.transformations.length > 0) {
    annotations[transformationsKey] = writeDocument(resource.transformations.map(plainOrigin))
  }
  resource.setTexts('annotations', annotations)
  return toJson(resource.node) as KubeObject
}

function plainOrigin(origin: Origin): Record<string, unknown> {
  const { path, repo, ref, configuredIn, configuredBy } = origin
  return defined({ path, repo, ref, configuredIn, configuredBy })
}
