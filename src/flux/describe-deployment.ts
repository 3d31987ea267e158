import { isRecord, type KubeObject } from '../core/index.ts'
import type { Deployment, Extensions } from '../deployment/index.ts'
import { idOf } from './deployment-id.ts'
import { descriptionAnnotation, extensionsAnnotation } from './flux-kinds.ts'
import { fluxState } from './flux-status.ts'
import { packageIdOf } from './package-id.ts'
import { pinnedFrom } from './pin-source.ts'

/** A Flux object as a deployment; `version` is the number of its revision. */
export function describeDeployment(object: KubeObject, version: number): Deployment {
  const {
    name,
    namespace = '',
    labels = {},
    annotations = {},
    creationTimestamp = '',
    resourceVersion = '',
  } = object.metadata
  const { status, suspended, updatedAt } = fluxState(object)
  const source = sourceOf(object)
  return {
    id: idOf(object),
    name,
    packageId: packageIdOf(text(source['kind']), text(source['namespace']) || namespace, text(source['name'])),
    namespace: text(part(object, 'spec')['targetNamespace']) || namespace,
    status,
    suspended,
    version,
    description: annotations[descriptionAnnotation] ?? '',
    labels,
    createdAt: creationTimestamp,
    updatedAt,
    etag: resourceVersion,
    extensions: extensionsOf(object),
  }
}

/** What only Flux has of an object, under the names by which it is set. */
export function extensionsOf(object: KubeObject): Extensions {
  const spec = part(object, 'spec')
  const source = sourceOf(object)
  const others = readOthers(object.metadata.annotations?.[extensionsAnnotation])
  const shared = {
    'flux.type': object.kind.toLowerCase(),
    'flux.namespace': object.metadata.namespace,
    'flux.sourceRef': source['name'],
    'flux.sourceKind': source['kind'],
    'flux.sourceNamespace': source['namespace'],
    'flux.targetNamespace': spec['targetNamespace'],
    'flux.interval': spec['interval'],
    'flux.timeout': spec['timeout'],
    'flux.dependsOn': spec['dependsOn'],
    'flux.serviceAccountName': spec['serviceAccountName'],
    'flux.message': fluxState(object).message,
  }
  const own = object.kind === 'HelmRelease' ? helmExtensions(spec) : kustomizationExtensions(object, spec)
  const all = { ...others, ...shared, ...own }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function helmExtensions(spec: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const chart = part(spec, 'chart', 'spec')
  return {
    'flux.chart': chart['chart'],
    'flux.chartVersion': chart['version'],
    'flux.chartRef': spec['chartRef'],
    'flux.releaseName': spec['releaseName'],
    'flux.valuesFrom': spec['valuesFrom'],
    'flux.driftDetection': spec['driftDetection'],
    'flux.remediation': part(spec, 'upgrade')['remediation'],
    'flux.createNamespace': part(spec, 'install')['createNamespace'],
    'flux.force': part(spec, 'upgrade')['force'],
  }
}

function kustomizationExtensions(object: KubeObject, spec: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    'flux.path': spec['path'],
    'flux.targetRevision': pinnedFrom(object)?.revision,
    'flux.lastAppliedRevision': part(object, 'status')['lastAppliedRevision'],
    'flux.prune': spec['prune'],
    'flux.force': spec['force'],
    'flux.wait': spec['wait'],
    'flux.postBuild': spec['postBuild'],
    'flux.patches': spec['patches'],
    'flux.components': spec['components'],
  }
}

/** The source that a deployment comes from, as it was before it was pinned. */
export function sourceOf(object: KubeObject): Readonly<Record<string, unknown>> {
  const pinned = pinnedFrom(object)
  if (pinned !== undefined) return pinned.source
  const spec = part(object, 'spec')
  const reference = object.kind === 'Kustomization' ? part(spec, 'sourceRef') : part(spec, 'chart', 'spec', 'sourceRef')
  return Object.keys(reference).length > 0 ? reference : part(spec, 'chartRef')
}

function readOthers(json: string | undefined): Record<string, unknown> {
  if (json === undefined) return {}
  try {
    const value: unknown = JSON.parse(json)
    return isRecord(value) ? value : {}
  } catch {
    // Somebody else wrote the annotation; it says nothing then.
    return {}
  }
}

/** A part of an object; empty where it is not there. */
export function part(value: unknown, ...path: readonly string[]): Readonly<Record<string, unknown>> {
  let found: unknown = value
  for (const key of path) found = isRecord(found) ? found[key] : undefined
  return isRecord(found) ? found : {}
}

/** A text; empty where the value is none. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
