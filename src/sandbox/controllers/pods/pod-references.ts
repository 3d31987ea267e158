import type { KubeObject } from '../../../core/index.ts'
import { partOf, records, text } from '../../object-parts.ts'
import type { ObjectIndex } from '../object-index.ts'

/** Something that a Pod needs and that is not there. */
export interface MissingReference {
  readonly message: string
  /** Whether it was to be mounted; otherwise a container's environment needs it. */
  readonly mount: boolean
}

/** The first ConfigMap or Secret that a Pod cannot start without and that does not exist. */
export function missingReference(pod: KubeObject, index: ObjectIndex): MissingReference | undefined {
  const spec = partOf(pod, 'spec')
  const namespace = pod.metadata.namespace ?? ''
  for (const volume of records(spec['volumes'])) {
    for (const source of [volume, ...records(partOf(volume, 'projected')['sources'])]) {
      const why =
        absent(index, '/configmaps', 'configmap', namespace, partOf(source, 'configMap'), 'name') ??
        absent(
          index,
          '/secrets',
          'secret',
          namespace,
          partOf(source, 'secret'),
          source === volume ? 'secretName' : 'name',
        )
      const message = `MountVolume.SetUp failed for volume "${text(volume['name'])}" : ${why}`
      if (why !== undefined) return { message, mount: true }
    }
  }
  for (const container of [...records(spec['initContainers']), ...records(spec['containers'])]) {
    const sources = [
      ...records(container['envFrom']).map(
        (from) => [partOf(from, 'configMapRef'), partOf(from, 'secretRef')] as const,
      ),
      ...records(container['env']).map(
        (env) => [partOf(env, 'valueFrom', 'configMapKeyRef'), partOf(env, 'valueFrom', 'secretKeyRef')] as const,
      ),
    ]
    for (const [configMap, secret] of sources) {
      const message =
        absent(index, '/configmaps', 'configmap', namespace, configMap, 'name') ??
        absent(index, '/secrets', 'secret', namespace, secret, 'name')
      if (message !== undefined) return { message, mount: false }
    }
  }
  return undefined
}

function absent(
  index: ObjectIndex,
  collection: string,
  kind: string,
  namespace: string,
  reference: Record<string, unknown>,
  field: string,
): string | undefined {
  const name = text(reference[field])
  if (name === '' || reference['optional'] === true) return undefined
  return index.get(collection, namespace, name) === undefined ? `${kind} "${name}" not found` : undefined
}
