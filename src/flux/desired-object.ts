import { formatApiVersion, isDnsLabel, isRecord, type KubeObject, mergePatch, stringifyJson } from '../core/index.ts'
import { type DeploymentRequest, type DeploymentUpdate, type Extensions, invalidRequest } from '../deployment/index.ts'
import { kindOfType } from './deployment-id.ts'
import { extensionsOf } from './describe-deployment.ts'
import type { FluxSettings } from './flux-config.ts'
import { checkExtensions, textExtension } from './flux-extensions.ts'
import { descriptionAnnotation, extensionsAnnotation, fluxKinds, rollbackAnnotation } from './flux-kinds.ts'
import { helmReleaseSpec, set } from './helm-release-spec.ts'
import { kustomizationSpec } from './kustomization-spec.ts'
import { readPackageId } from './package-id.ts'
import type { Spec } from './source-reference.ts'

/** The Flux object of a request. */
export function newObject(request: DeploymentRequest, settings: FluxSettings): KubeObject {
  if (!isDnsLabel(request.name)) {
    throw invalidRequest(`invalid resource name: ${JSON.stringify(request.name)} is not a DNS label`, { field: 'name' })
  }
  const extensions = withPackage(request)
  const type = textExtension(extensions, 'flux.type') ?? 'helmrelease'
  const kind = kindOfType[type]
  if (kind === undefined) throw invalidRequest(`unsupported deployment type: ${type}`, { field: 'flux.type' })
  const before: Spec = {
    interval: settings.interval,
    timeout: settings.reconcileTimeout,
    targetNamespace: targetOf(request, extensions) ?? settings.targetNamespace,
    suspend: settings.suspend,
  }
  const object: KubeObject = {
    apiVersion: formatApiVersion(fluxKinds[kind]),
    kind,
    metadata: { name: request.name, namespace: settings.namespace, labels: { ...request.labels }, annotations: {} },
    spec: specOf(kind, before, extensions, settings),
  }
  return described(withValues(object, request.values, 'replace'), request.description, extensions)
}

/** The Flux object as an update wants it. */
export function updatedObject(live: KubeObject, update: DeploymentUpdate, settings: FluxSettings): KubeObject {
  const { mode = 'merge', extensions = {} } = update
  const type = textExtension(extensions, 'flux.type')
  if (type !== undefined && kindOfType[type] !== live.kind) {
    throw invalidRequest(`flux.type of a deployment cannot change: it is a ${live.kind}`, { field: 'flux.type' })
  }
  const spec = isRecord(live['spec']) ? live['spec'] : {}
  const base = mode === 'replace' && update.extensions !== undefined ? kept(spec) : spec
  checkExtensions(extensions, live.kind, extensionsOf(live))
  const { [rollbackAnnotation]: _, ...annotations } = live.metadata.annotations ?? {}
  const changed = {
    ...live,
    metadata: { ...live.metadata, annotations },
    spec: specOf(live.kind, base, extensions, settings, extensionsOf(live)),
  }
  return described(withValues(changed, update.values, mode), update.description, extensions)
}

/** What a replacement of the extensions leaves of a spec: what extensions do not say. */
function kept({ values, targetNamespace, interval, timeout, suspend }: Spec): Spec {
  return { values, targetNamespace, interval, timeout, suspend }
}

function specOf(
  kind: string,
  before: Spec,
  extensions: Extensions,
  settings: FluxSettings,
  current: Extensions = {},
): Spec {
  checkExtensions(extensions, kind, current)
  const shared: Record<string, unknown> = { ...before }
  set(shared, 'targetNamespace', extensions['flux.targetNamespace'])
  set(shared, 'interval', extensions['flux.interval'])
  set(shared, 'timeout', extensions['flux.timeout'])
  set(shared, 'suspend', extensions['flux.suspend'])
  set(shared, 'dependsOn', extensions['flux.dependsOn'])
  set(shared, 'serviceAccountName', extensions['flux.serviceAccountName'])
  return kind === 'HelmRelease'
    ? helmReleaseSpec(shared, extensions, settings)
    : kustomizationSpec(shared, extensions, settings)
}

function withValues(object: KubeObject, values: unknown, mode: 'merge' | 'replace'): KubeObject {
  if (!isRecord(values)) return object
  if (object.kind === 'Kustomization') {
    throw invalidRequest('a Kustomization takes no values; use flux.postBuild to substitute variables', {
      field: 'values',
    })
  }
  const spec = isRecord(object['spec']) ? object['spec'] : {}
  // A null in a new value is Helm's way to remove a default, so only a merge into values takes it as a removal.
  const merged = mode === 'merge' && isRecord(spec['values']) ? mergePatch(spec['values'], values) : values
  return { ...object, spec: { ...spec, values: merged } }
}

function described(object: KubeObject, description: string | undefined, extensions: Extensions): KubeObject {
  const annotations = { ...object.metadata.annotations }
  if (description !== undefined) annotations[descriptionAnnotation] = description
  const others = Object.entries(extensions).filter(([name]) => !name.startsWith('flux.'))
  if (others.length > 0) {
    const before = JSON.parse(annotations[extensionsAnnotation] ?? '{}') as unknown
    annotations[extensionsAnnotation] = stringifyJson(mergePatch(before, Object.fromEntries(others)))
  }
  return { ...object, metadata: { ...object.metadata, annotations } }
}

/** The extensions with the source that `packageId` names, where they name none themselves. */
function withPackage({ packageId, extensions = {} }: DeploymentRequest): Extensions {
  if (packageId === undefined || extensions['flux.sourceRef'] !== undefined) return extensions
  const source = readPackageId(packageId)
  if (source === undefined) throw invalidRequest(`packageId ${packageId} is not the id of a package`, { packageId })
  return {
    'flux.sourceRef': source.name,
    'flux.sourceKind': source.kind,
    'flux.sourceNamespace': source.namespace,
    ...extensions,
  }
}

function targetOf({ namespace }: DeploymentRequest, extensions: Extensions): string | undefined {
  const target = textExtension(extensions, 'flux.targetNamespace')
  if (namespace !== undefined && target !== undefined && namespace !== target) {
    throw invalidRequest(`namespace says ${namespace}, flux.targetNamespace says ${target}: give one of them`, {
      field: 'namespace',
    })
  }
  return target ?? namespace
}
