import { readFileSync } from 'node:fs'
import type { GroupVersionKind, KubeObject } from '../core/index.ts'

/**
 * The fields of a built-in kind that an API server is known to refuse to change, as paths like `.spec.selector`. A live object
 * adds those that hold only because of its own state, such as the data of a ConfigMap that is marked immutable.
 */
export function immutableFields(kind: Pick<GroupVersionKind, 'group' | 'kind'>, live?: KubeObject): readonly string[] {
  const table = immutableTable()
  const key = `${kind.group}/${kind.kind}`
  const always = table[key] ?? []
  const sealed = live?.['immutable'] === true ? (table[`${key} when .immutable`] ?? []) : []
  return sealed.length === 0 ? always : [...always, ...sealed]
}

// Constant data, read when it is first asked for.
let table: Readonly<Record<string, readonly string[]>> | undefined

function immutableTable(): Readonly<Record<string, readonly string[]>> {
  // oxlint-disable-next-line no-restricted-properties -- a data file of this package, without large numbers
  table ??= JSON.parse(readFileSync(new URL('./data/immutable.json', import.meta.url), 'utf8')) as Record<
    string,
    string[]
  >
  return table
}
