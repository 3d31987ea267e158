import { isRecord, type KubeObject } from '../../core/index.ts'

/** Where the pod template of each kind that has one is found; a Pod is its own. */
const templatePaths: Readonly<Record<string, readonly string[]>> = {
  'v1 Pod': [],
  'v1 PodTemplate': ['template'],
  'v1 ReplicationController': ['spec', 'template'],
  'apps Deployment': ['spec', 'template'],
  'apps ReplicaSet': ['spec', 'template'],
  'apps StatefulSet': ['spec', 'template'],
  'apps DaemonSet': ['spec', 'template'],
  'batch Job': ['spec', 'template'],
  'batch CronJob': ['spec', 'jobTemplate', 'spec', 'template'],
}

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const

/**
 * The container images that objects name, each once and sorted: of Pods and of every built-in kind with a pod template. Custom resources are
 * left out, since only their operators know which of their fields are images. Hooks of a chart are objects of their own: give them too.
 */
export function imagesOf(objects: readonly KubeObject[]): string[] {
  const images = objects.flatMap((object) => {
    const path = templatePaths[`${object.apiVersion.replace(/\/[^/]*$/, '')} ${object.kind}`]
    if (path === undefined) return []
    const spec = at(object, [...path, 'spec'])
    return isRecord(spec) ? containerLists.flatMap((list) => imagesIn(spec[list])) : []
  })
  return [...new Set(images)].sort()
}

function imagesIn(containers: unknown): string[] {
  const all = Array.isArray(containers) ? containers.filter(isRecord) : []
  return all.flatMap(({ image }) => (typeof image === 'string' && image !== '' ? [image] : []))
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((found, name) => (isRecord(found) ? found[name] : undefined), value)
}
