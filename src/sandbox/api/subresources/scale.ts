import { isRecord, type KubeObject, type ManagedFieldsEntry, stringifyJson } from '../../../core/index.ts'
import { builtinSchema } from '../../../schema/index.ts'
import type { Backend, WriteOptions } from '../../backend.ts'
import { crdVersion, type ScalePaths } from '../../crd/crd-spec.ts'
import type { ResourceType } from '../../resource-type.ts'
import { badRequest, internalError, invalid, methodNotAllowed } from '../../status-error.ts'
import { apply } from '../write/apply.ts'
import type { ApiRequest } from '../handle.ts'
import { patchOf } from '../write/patch.ts'
import type { ResourceRequest } from '../resource-request.ts'
import { stored } from '../write/update.ts'
import { invalidValue } from '../write/validate-meta.ts'
import { apiVersionOf } from '../write/decode-object.ts'
import { trackUpdate } from '../write/managed-fields.ts'
import { storeChanged } from '../write/store-object.ts'

/** The `scale` subresource: a few fields of a workload in the form that every scaler knows. */
export function handleScale(backend: Backend, request: ApiRequest, options: WriteOptions): KubeObject {
  const { info } = request
  const paths = scalePaths(info.type)
  const live = stored(backend, info)
  switch (request.method) {
    case 'GET':
      checkReadable(info.type, paths, live)
      return scaleOf(paths, live)
    case 'PUT':
      return write(backend, request, paths, request.body, options)
    case 'PATCH': {
      if (request.contentType.startsWith('application/apply-patch')) return applyScale(backend, request, paths, options)
      const merge = patchOf({ ...info.type, schema: scaleSchema() }, request.contentType)
      return write(backend, request, paths, merge(scaleOf(paths, live), request.body), options)
    }
    default:
      throw methodNotAllowed()
  }
}

function checkReadable(type: ResourceType, paths: ScalePaths, live: KubeObject): void {
  if (type.crd === undefined || valueAt(live, stepsOf(paths.specReplicasPath)) !== undefined) return
  const message = `the spec replicas field ${stringifyJson(paths.specReplicasPath)} does not exist`
  throw internalError(message)
}

function write(
  backend: Backend,
  { info }: ApiRequest,
  paths: ScalePaths,
  scale: unknown,
  options: WriteOptions,
): KubeObject {
  const { replicas, resourceVersion } = readScale(info, paths, scale)
  const live = stored(backend, info)
  const next = withValue(live, stepsOf(paths.specReplicasPath), replicas) as KubeObject
  const metadata = { ...next.metadata, ...(resourceVersion === '' ? {} : { resourceVersion }) }
  const managers = replicas === 0 ? managersOfNone(backend, info.type, paths, live, options) : undefined
  return scaleOf(paths, storeChanged(backend, info.type, live, { ...next, metadata }, managers, options))
}

/** A Scale without replicas does not write the field, so that nobody owns it afterwards. */
function managersOfNone(
  backend: Backend,
  type: ResourceType,
  paths: ScalePaths,
  live: KubeObject,
  options: WriteOptions,
): ManagedFieldsEntry[] | undefined {
  const { managedFields = [] } = live.metadata
  if (managedFields.length === 0) return undefined
  const none = withValue(live, stepsOf(paths.specReplicasPath), undefined) as KubeObject
  return trackUpdate(backend, type, live, none, options, managedFields)
}

/** An applied Scale is an applied object that has nothing but its replicas. */
function applyScale(backend: Backend, request: ApiRequest, paths: ScalePaths, options: WriteOptions): KubeObject {
  const { info } = request
  const { replicas } = readScale(info, paths, request.body)
  const metadata = { name: info.name, ...(info.namespace === undefined ? {} : { namespace: info.namespace }) }
  const identity = { apiVersion: apiVersionOf(info.type), kind: info.type.kind, metadata }
  const config = withValue(identity, stepsOf(paths.specReplicasPath), replicas)
  return scaleOf(paths, apply(backend, info, config, options).object)
}

function readScale(
  { type, name: expected = '' }: ResourceRequest,
  paths: ScalePaths,
  scale: unknown,
): { replicas: number; resourceVersion: string } {
  if (!isRecord(scale)) throw badRequest('the request body is not a Scale')
  const { kind = 'Scale', apiVersion = 'autoscaling/v1' } = scale
  if (kind !== 'Scale' || apiVersion !== 'autoscaling/v1')
    throw badRequest('the request body is no autoscaling/v1 Scale')
  const metadata = isRecord(scale['metadata']) ? scale['metadata'] : {}
  const { name = expected, resourceVersion = '' } = metadata as { name?: string; resourceVersion?: string }
  if (name !== expected) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${expected})`)
  }
  const spec = isRecord(scale['spec']) ? scale['spec'] : {}
  const replicas = spec['replicas'] ?? 0
  if (typeof replicas !== 'number') throw badRequest('spec.replicas is no number')
  if (replicas < 0 && type.crd !== undefined) {
    throw invalid(type, name, [
      invalidValue(paths.specReplicasPath ?? '', replicas, 'should be a non-negative integer'),
    ])
  }
  if (replicas < 0) {
    const cause = invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0')
    throw invalid({ group: 'autoscaling', resource: 'scales', kind: 'Scale' }, name, [cause])
  }
  return { replicas, resourceVersion }
}

function scaleOf(paths: ScalePaths, object: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const replicas = valueAt(object, stepsOf(paths.specReplicasPath))
  const selector = selectorText(valueAt(object, stepsOf(paths.labelSelectorPath)))
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    // A count of zero is not written, as it is Go's empty value.
    spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {},
    status: {
      replicas: Number(valueAt(object, stepsOf(paths.statusReplicasPath)) ?? 0),
      ...(selector === '' ? {} : { selector }),
    },
  }
}

/** Where a resource keeps what Scale shows; built-in workloads all keep it at the same places. */
function scalePaths(type: ResourceType): ScalePaths {
  const declared = type.crd === undefined ? undefined : crdVersion(type.crd, type.version)?.subresources?.scale
  return (
    declared ?? {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.spec.selector',
    }
  )
}

function selectorText(selector: unknown): string {
  if (typeof selector === 'string') return selector
  if (!isRecord(selector)) return ''
  const labels = isRecord(selector['matchLabels']) ? selector['matchLabels'] : {}
  const expressions = Array.isArray(selector['matchExpressions']) ? selector['matchExpressions'].filter(isRecord) : []
  // A ReplicationController's selector is a plain map of labels.
  const plain = 'matchLabels' in selector || expressions.length > 0 ? labels : selector
  const equal = Object.entries(plain).map(([key, value]) => ({ key, text: `${key}=${String(value)}` }))
  const others = expressions.map((expression) => ({ key: String(expression['key']), text: expressionText(expression) }))
  const sorted = [...equal, ...others].sort((a, b) => (a.key < b.key ? -1 : 1))
  return sorted.map(({ text }) => text).join(',')
}

function expressionText({ key, operator, values }: Record<string, unknown>): string {
  const listed = Array.isArray(values)
    ? values
        .map(String)
        .sort((a, b) => (a < b ? -1 : 1))
        .join(',')
    : ''
  switch (operator) {
    case 'In':
      return `${String(key)} in (${listed})`
    case 'NotIn':
      return `${String(key)} notin (${listed})`
    case 'DoesNotExist':
      return `!${String(key)}`
    default:
      return String(key)
  }
}

function scaleSchema(): ResourceType['schema'] {
  return builtinSchema().type({ group: 'autoscaling', version: 'v1', kind: 'Scale' })
}

function stepsOf(path: string | undefined): string[] {
  return (path ?? '').split('.').filter((step) => step !== '')
}

function valueAt(value: unknown, steps: readonly string[]): unknown {
  if (steps.length === 0) return undefined
  return steps.reduce<unknown>((at, step) => (isRecord(at) ? at[step] : undefined), value)
}

function withValue(value: unknown, [step, ...rest]: readonly string[], leaf: unknown): Record<string, unknown> {
  const map = isRecord(value) ? value : {}
  if (step === undefined) return map
  if (rest.length === 0 && leaf === undefined) {
    const { [step]: _, ...others } = map
    return others
  }
  return { ...map, [step]: rest.length === 0 ? leaf : withValue(map[step], rest, leaf) }
}
