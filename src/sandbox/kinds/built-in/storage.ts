import { isDeepStrictEqual } from 'node:util'
import { isDnsSubdomain, isRecord, type KubeObject } from '../../../core/index.ts'
import type { Cause } from '../../status-error.ts'
import { partOf } from '../../object-parts.ts'
import { forbiddenField, immutable, invalidValue, notSupported, required } from '../causes.ts'
import type { Family } from '../family.ts'
import { allMetadata, type RuleEnv } from '../kind-rules.ts'
import { quantityAmount } from '../quantity.ts'
import { type Part, textOf } from '../read.ts'

/** Claims, volumes and classes of storage. */
export const storage: Family = {
  defaults: { 'core.v1.PersistentVolumeClaimSpec': completeClaimSpec },
  kinds: {
    '/PersistentVolumeClaim': {
      prepareCreate(claim, env) {
        protect(claim, 'kubernetes.io/pvc-protection')
        useDefaultClass(claim, env)
        claim['status'] = { phase: 'Pending' }
      },
      validate: validateClaim,
    },
    '/PersistentVolume': {
      prepareCreate(volume, env) {
        protect(volume, 'kubernetes.io/pv-protection')
        volume['status'] = { phase: 'Pending', lastPhaseTransitionTime: env.now }
      },
      validate: validateVolume,
    },
    'storage.k8s.io/StorageClass': {
      validate: (object, old) => [
        ...frozen(object, old, ['parameters', 'provisioner', 'reclaimPolicy'], (field) =>
          forbiddenField(field, `updates to ${field} are forbidden.`),
        ),
        ...frozen(object, old, ['volumeBindingMode'], (field, value) => invalidValue(field, value, immutable)),
      ],
    },
    'storage.k8s.io/CSIDriver': {
      // New drivers have no generation; it counts changes.
      prepareUpdate(driver, old) {
        if (!isDeepStrictEqual(driver['spec'], old['spec']))
          driver.metadata.generation = (old.metadata.generation ?? 0) + 1
      },
      validate: (object, old) =>
        frozen(
          partOf(object, 'spec'),
          old && partOf(old, 'spec'),
          ['attachRequired', 'volumeLifecycleModes'],
          (field, value) =>
            // The API server names the field like this.
            invalidValue(`spec.${field === 'attachRequired' ? 'attachedRequired' : field}`, value, immutable),
        ),
    },
    'storage.k8s.io/VolumeAttachment': {
      statusKeeps: allMetadata,
      validate: (object, old) => frozen(object, old, ['spec'], (field, value) => invalidValue(field, value, immutable)),
    },
  },
}

/** A cause for each of the fields that changed. */
export function frozen(
  object: Part,
  old: Part | undefined,
  fields: readonly string[],
  cause: (field: string, value: unknown) => Cause,
): Cause[] {
  if (old === undefined) return []
  return fields
    .filter((field) => !isDeepStrictEqual(object[field], old[field]))
    .map((field) => cause(field, object[field] ?? null))
}

function completeClaimSpec(spec: Part): void {
  spec['volumeMode'] ??= 'Filesystem'
}

function protect(object: KubeObject, finalizer: string): void {
  const finalizers = object.metadata.finalizers ?? []
  if (!finalizers.includes(finalizer)) object.metadata.finalizers = [...finalizers, finalizer]
}

const defaultClass = 'storageclass.kubernetes.io/is-default-class'

function useDefaultClass(claim: KubeObject, env: RuleEnv): void {
  const spec = partOf(claim, 'spec')
  // The old field for the source and the new one say the same.
  const source = spec['dataSource'] ?? spec['dataSourceRef']
  if (isRecord(source) && source['namespace'] === undefined) {
    spec['dataSource'] ??= source
    spec['dataSourceRef'] ??= source
  }
  if (spec['storageClassName'] !== undefined) return
  const chosen = env
    .all('storage.k8s.io/storageclasses')
    .find((one) => one.metadata.annotations?.[defaultClass] === 'true')
  if (chosen !== undefined) spec['storageClassName'] = chosen.metadata.name
}

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']

function validateModes(spec: Part, path = 'spec'): Cause[] {
  const modes = (spec['accessModes'] ?? []) as string[]
  if (modes.length === 0) return [required(`${path}.accessModes`, 'at least 1 access mode is required')]
  return modes
    .filter((mode) => !accessModes.includes(mode))
    .map((mode) => notSupported(`${path}.accessModes`, mode, accessModes))
}

function validateClassName(spec: Part, path = 'spec'): Cause[] {
  const name = textOf(spec, 'storageClassName')
  return name === '' || isDnsSubdomain(name)
    ? []
    : [invalidValue(`${path}.storageClassName`, name, 'must be a DNS subdomain')]
}

/** What is wrong with what a claim asks for. */
export function claimCauses(spec: Part, path: string): Cause[] {
  const causes = [...validateModes(spec, path), ...validateClassName(spec, path)]
  const size = partOf(spec, 'resources', 'requests')['storage']
  if (size === undefined) return [...causes, required(`${path}.resources[storage]`)]
  if ((quantityAmount(size) ?? 0n) > 0n) return causes
  return [...causes, invalidValue(`${path}.resources[storage]`, size, 'must be greater than zero')]
}

function validateClaim(claim: KubeObject, old: KubeObject | undefined): Cause[] {
  const spec = partOf(claim, 'spec')
  const causes = claimCauses(spec, 'spec')
  if (old === undefined) return causes
  const before = partOf(old, 'spec')
  if (!isDeepStrictEqual(fixedClaim(spec, claim, before), fixedClaim(before, old, before))) {
    const why =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'
    causes.push(forbiddenField('spec', why))
  }
  const size = (one: unknown): bigint => quantityAmount(partOf(one, 'resources', 'requests')['storage']) ?? 0n
  const capacity = quantityAmount(partOf(old, 'status', 'capacity')['storage']) ?? 0n
  if (size(spec) < size(before) && size(spec) <= capacity) {
    causes.push(forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity'))
  }
  return [...causes, ...frozen(spec, before, ['volumeMode'], (field, value) => invalidValue(field, value, immutable))]
}

function fixedClaim(spec: Part, claim: KubeObject, before: Part): Part {
  const { volumeName, resources, volumeAttributesClassName: _, ...fixed } = spec
  const bound = partOf(claim, 'status')['phase'] === 'Bound'
  const { requests, ...rest } = partOf(resources)
  const { storage: _size, ...others } = partOf(requests)
  return {
    ...fixed,
    // A volume is bound once.
    ...(before['volumeName'] === undefined ? {} : { volumeName }),
    resources: bound ? { ...rest, requests: others } : resources,
  }
}

function validateVolume(volume: KubeObject, old: KubeObject | undefined): Cause[] {
  const spec = partOf(volume, 'spec')
  const causes = [...validateModes(spec), ...validateClassName(spec)]
  const capacity = partOf(spec, 'capacity')
  if (Object.keys(capacity).length === 0) causes.push(required('spec.capacity'))
  if (capacity['storage'] === undefined || Object.keys(capacity).length > 1) {
    causes.push(notSupported('spec.capacity', capacity, ['storage']))
  }
  if (sourceOf(spec) === undefined) causes.push(required('spec', 'must specify a volume type'))
  if (old === undefined) return causes
  const before = partOf(old, 'spec')
  const source = sourceOf(before) ?? ''
  if (!isDeepStrictEqual(spec[source], before[source])) {
    causes.push(
      forbiddenField('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation'),
    )
  }
  return [...causes, ...frozen(spec, before, ['volumeMode'], (field, value) => invalidValue(field, value, immutable))]
}

const notSources = new Set([
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeMode',
  'nodeAffinity',
  'volumeAttributesClassName',
])

function sourceOf(spec: Part): string | undefined {
  return Object.keys(spec).find((field) => !notSources.has(field))
}
