import { compareText, type ManagedFieldsEntry, stringifyJson } from '../../core/index.ts'
import { type FieldSet, isEmptySet } from './field-set.ts'
import { fromFieldsV1, toFieldsV1 } from './fields-v1.ts'

/** Who writes, and how. */
export interface ManagerName {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly subresource: string
}

/** One manager and the fields that it owns. */
export interface Manager extends ManagerName {
  readonly apiVersion: string
  readonly time: string | undefined
  readonly fields: FieldSet
}

/** The managers of an object by identity. */
export type Managers = ReadonlyMap<string, Manager>

/** Appliers are one manager whatever version they apply; updaters are told apart by version. */
export function managerKey(name: ManagerName & { readonly apiVersion: string }): string {
  const version = name.operation === 'Apply' ? '' : name.apiVersion
  return stringifyJson([name.operation, name.manager, name.subresource, version])
}

/** Reads the managers out of an object's `managedFields`. */
export function decodeManagers(entries: readonly ManagedFieldsEntry[] | undefined): Map<string, Manager> {
  const managers = new Map<string, Manager>()
  for (const entry of entries ?? []) {
    const manager: Manager = {
      manager: entry.manager ?? '',
      operation: entry.operation ?? 'Update',
      subresource: entry.subresource ?? '',
      apiVersion: entry.apiVersion ?? '',
      time: entry.time,
      fields: fromFieldsV1(entry.fieldsV1),
    }
    managers.set(managerKey(manager), manager)
  }
  return managers
}

/** Writes managers as `managedFields`: appliers first, then by time and name, as the API server sorts them. */
export function encodeManagers(managers: Managers): ManagedFieldsEntry[] {
  return [...managers.values()]
    .filter((manager) => !isEmptySet(manager.fields))
    .sort(compareManagers)
    .map((manager) => ({
      manager: manager.manager,
      operation: manager.operation,
      apiVersion: manager.apiVersion,
      // The API server loses the time on the way through Scale.
      ...(manager.time === undefined || manager.subresource === 'scale' ? {} : { time: manager.time }),
      fieldsType: 'FieldsV1',
      fieldsV1: toFieldsV1(manager.fields),
      ...(manager.subresource === '' ? {} : { subresource: manager.subresource }),
    }))
}

function compareManagers(a: Manager, b: Manager): number {
  return (
    compareText(a.operation, b.operation) ||
    compareText(a.time ?? '', b.time ?? '') ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  )
}
