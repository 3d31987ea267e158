import type { KubeObject } from '../../core/index.ts'
import {
  ageColumn,
  at,
  column,
  type Column,
  itemsAt,
  nameColumn,
  numberAt,
  sizeAt,
  textAt,
  textsAt,
  wide,
} from './column.ts'

/** The table of PersistentVolumeClaims. */
export const claimColumns: readonly Column[] = [
  nameColumn,
  column('Status', phase),
  column('Volume', (claim) => textAt(claim, ['spec', 'volumeName'])),
  column('Capacity', (claim) => (isBound(claim) ? textAt(claim, ['status', 'capacity', 'storage']) : '')),
  column('Access Modes', (claim) => (isBound(claim) ? modes(at(claim, 'status', 'accessModes')) : '')),
  column('StorageClass', storageClass),
  column('VolumeAttributesClass', (claim) => textAt(claim, ['spec', 'volumeAttributesClassName'], '<unset>')),
  ageColumn,
  wide('VolumeMode', (claim) => textAt(claim, ['spec', 'volumeMode'], '<unset>')),
]

/** The table of PersistentVolumes. */
export const volumeColumns: readonly Column[] = [
  nameColumn,
  column('Capacity', (volume) => textAt(volume, ['spec', 'capacity', 'storage'])),
  column('Access Modes', (volume) => modes(at(volume, 'spec', 'accessModes'))),
  column('Reclaim Policy', (volume) => textAt(volume, ['spec', 'persistentVolumeReclaimPolicy'])),
  column('Status', phase),
  column('Claim', (volume) => {
    const claim = at(volume, 'spec', 'claimRef')
    return claim === undefined ? '' : `${textAt(claim, ['namespace'])}/${textAt(claim, ['name'])}`
  }),
  column('StorageClass', storageClass),
  column('VolumeAttributesClass', (volume) => textAt(volume, ['spec', 'volumeAttributesClassName'], '<unset>')),
  column('Reason', (volume) => textAt(volume, ['status', 'reason'])),
  ageColumn,
  wide('VolumeMode', (volume) => textAt(volume, ['spec', 'volumeMode'], '<unset>')),
]

/** The table of StorageClasses. */
export const storageClassColumns: readonly Column[] = [
  {
    ...nameColumn,
    cell: ({ metadata }) =>
      metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true'
        ? `${metadata.name} (default)`
        : metadata.name,
  },
  column('Provisioner', (object) => textAt(object, ['provisioner'])),
  column('ReclaimPolicy', (object) => textAt(object, ['reclaimPolicy'], 'Delete')),
  column('VolumeBindingMode', (object) => textAt(object, ['volumeBindingMode'], 'Immediate')),
  column('AllowVolumeExpansion', (object) => at(object, 'allowVolumeExpansion') === true),
  ageColumn,
]

/** The table of RoleBindings and ClusterRoleBindings. */
export const bindingColumns: readonly Column[] = [
  nameColumn,
  column('Role', (binding) => `${textAt(binding, ['roleRef', 'kind'])}/${textAt(binding, ['roleRef', 'name'])}`),
  ageColumn,
  wide('Users', (binding) => subjects(binding, 'User')),
  wide('Groups', (binding) => subjects(binding, 'Group')),
  wide('ServiceAccounts', (binding) => subjects(binding, 'ServiceAccount')),
]

/** The table of Leases. */
export const leaseColumns: readonly Column[] = [
  nameColumn,
  column('Holder', (lease) => textAt(lease, ['spec', 'holderIdentity'])),
  ageColumn,
]

/** The table of PriorityClasses. */
export const priorityClassColumns: readonly Column[] = [
  nameColumn,
  column('Value', (object) => numberAt(object, ['value']), 'integer'),
  column('Global-Default', (object) => at(object, 'globalDefault') === true, 'boolean'),
  ageColumn,
  column('PreemptionPolicy', (object) => textAt(object, ['preemptionPolicy'], '<unset>')),
]

/** The table of ServiceCIDRs. */
export const serviceCidrColumns: readonly Column[] = [
  nameColumn,
  column('CIDRs', (object) => textsAt(object, 'spec', 'cidrs').join(',')),
  ageColumn,
]

/** The table of CSINodes. */
export const csiNodeColumns: readonly Column[] = [
  nameColumn,
  column('Drivers', (object) => sizeAt(object, 'spec', 'drivers'), 'integer'),
  ageColumn,
]

/** The table of RuntimeClasses. */
export const runtimeClassColumns: readonly Column[] = [
  nameColumn,
  column('Handler', (object) => textAt(object, ['handler'])),
  ageColumn,
]

/** The table of both kinds of webhook configurations. */
export const webhookColumns: readonly Column[] = [
  nameColumn,
  column('Webhooks', (object) => sizeAt(object, 'webhooks'), 'integer'),
  ageColumn,
]

function phase(object: KubeObject): string {
  return object.metadata.deletionTimestamp === undefined ? textAt(object, ['status', 'phase']) : 'Terminating'
}

function isBound(claim: KubeObject): boolean {
  return textAt(claim, ['spec', 'volumeName']) !== ''
}

function storageClass(object: KubeObject): string {
  const old = object.metadata.annotations?.['volume.beta.kubernetes.io/storage-class']
  return old ?? textAt(object, ['spec', 'storageClassName'])
}

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}

function modes(value: unknown): string {
  const given = new Set<unknown>(Array.isArray(value) ? value : [])
  return Object.entries(shortModes)
    .flatMap(([mode, short]) => (given.has(mode) ? [short] : []))
    .join(',')
}

function subjects(binding: KubeObject, kind: string): string {
  return itemsAt(binding, 'subjects')
    .filter((subject) => subject['kind'] === kind)
    .map(
      (subject) => (kind === 'ServiceAccount' ? `${textAt(subject, ['namespace'])}/` : '') + textAt(subject, ['name']),
    )
    .join(', ')
}
