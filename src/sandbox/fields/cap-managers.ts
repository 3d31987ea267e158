import { stringifyJson } from '../../core/index.ts'
import { union } from './field-set.ts'
import { type Manager, managerKey } from './managers.ts'

/** So many updaters of an object are told apart. */
const most = 10

/**
 * Takes the oldest updaters together where there are more than the API server tells apart: those of each version become
 * one, `ancient-changes`.
 */
export function capUpdaters(managers: Map<string, Manager>): void {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update')
  let count = updaters.length
  if (count <= most) return
  updaters.sort(([, a], [, b]) => compare(a.time ?? '', b.time ?? '') || compare(identifier(a), identifier(b)))
  const firsts = new Map<string, string>()
  for (const [key, manager] of updaters) {
    if (count <= most) return
    const { apiVersion } = manager
    const first = firsts.get(apiVersion)
    if (first === undefined) {
      firsts.set(apiVersion, key)
      continue
    }
    const bucket: Manager = { ...manager, manager: 'ancient-changes', subresource: '' }
    const name = managerKey(bucket)
    const before = managers.get(name) ?? managers.get(first)
    if (!managers.has(name)) managers.delete(first)
    managers.set(name, before === undefined ? bucket : { ...bucket, fields: union(manager.fields, before.fields) })
    if (key !== name) managers.delete(key)
    count -= 1
  }
}

/** Managers of the same second are sorted by the text that the API server knows them by. */
function identifier({ manager, operation, apiVersion, subresource }: Manager): string {
  const parts = { manager, operation, apiVersion }
  return stringifyJson(subresource === '' ? parts : { ...parts, subresource })
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
