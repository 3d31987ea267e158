import { isRecord, type KubeObject, parseJson, stringifyJson } from '../../../core/index.ts'
import { compareValues } from '../../fields/compare.ts'
import { difference, type FieldSet, pathsOf } from '../../fields/field-set.ts'
import { formatPath } from '../../fields/fields-v1.ts'
import { setOfValue } from '../../fields/value-set.ts'
import type { ResourceType } from '../../resource-type.ts'

const annotation = 'kubectl.kubernetes.io/last-applied-configuration'

/** The manager for whom the server looks at what kubectl applied on the client before. */
export const kubectlManager = 'kubectl'

/** The paths that were applied on the client and are still as they were applied: no conflict for kubectl on the server. */
export function lastAppliedPaths(type: ResourceType, live: KubeObject): ReadonlySet<string> {
  const applied = lastApplied(live)
  if (applied === undefined || applied['apiVersion'] !== live.apiVersion) return new Set()
  const { added, modified, removed } = compareValues(type.shape, applied, live)
  const same = [modified, added, removed].reduce<FieldSet>(difference, setOfValue(type.shape, applied))
  return new Set([...pathsOf(same)].map(formatPath))
}

/** What kubectl applies on the server is written down for kubectl on the client too, where there is something already. */
export function rememberApplied(object: KubeObject, config: Record<string, unknown>): void {
  const { annotations } = object.metadata
  if (annotations === undefined || (annotations[annotation] ?? '') === '') return
  const metadata = { ...(isRecord(config['metadata']) ? config['metadata'] : {}) }
  if (isRecord(metadata['annotations'])) {
    const { [annotation]: _, ...others } = metadata['annotations']
    metadata['annotations'] = others
  }
  object.metadata.annotations = { ...annotations, [annotation]: `${stringifyJson(sorted({ ...config, metadata }))}\n` }
}

function lastApplied({ metadata }: KubeObject): Record<string, unknown> | undefined {
  const text = metadata.annotations?.[annotation] ?? ''
  try {
    const applied = text === '' ? undefined : parseJson(text)
    return isRecord(applied) ? applied : undefined
  } catch {
    return undefined
  }
}

/** Go writes the keys of maps in their order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]))
}
